"""Makes rows.csv and expected.csv: fixed rows of our own making, and what scikit-learn says of them.

    python3 -m venv venv && venv/bin/pip install scikit-learn==1.9.1
    venv/bin/python make.py

The first 300 rows train, the last 150 test. Numbers are scaled by the training rows; categories become
columns of zeros and ones, as crates/coarsen-learn/src/models/table.rs does it.
"""

import csv
import random

import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

TRAIN, TEST = 300, 150
random.seed(20)
rows = []
for _ in range(TRAIN + TEST):
    a, b, c = (round(random.uniform(0, 10), 3) for _ in range(3))
    p, q = random.randrange(4), random.randrange(3)
    noise = random.gauss(0, 1.2)
    number = round(3 * a - 2 * b + (5, -4, 0, 9)[p] + 0.4 * a * c + noise, 4)
    score = a + 0.8 * b - c + (2, 0, -2, 1)[p] + (0, 1, 3)[q] + noise
    label = 0 if score < 5 else 1 if score < 9 else 2
    rows.append((a, b, c, p, q, label, number))
with open("rows.csv", "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["a", "b", "c", "p", "q", "label", "number"])
    out.writerows(rows)

table = np.array(rows)
numbers, p, q = table[:, :3], table[:, 3].astype(int), table[:, 4].astype(int)
label, number = table[:, 5].astype(int), table[:, 6]
scaled = (numbers - numbers[:TRAIN].mean(axis=0)) / numbers[:TRAIN].std(axis=0)
design = np.hstack([scaled, np.eye(4)[p], np.eye(3)[q]])
train, test = slice(0, TRAIN), slice(TRAIN, None)

expected = {}
tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, random_state=0)
expected["tree"] = tree.fit(numbers[train], label[train]).predict(numbers[test])
tree = DecisionTreeRegressor(min_samples_leaf=5, random_state=0)
expected["regression_tree"] = tree.fit(numbers[train], number[train]).predict(numbers[test])
counts = np.bincount(label[train], minlength=3)
bayes = CategoricalNB(alpha=1.0, class_prior=(counts + 1) / (TRAIN + 3), min_categories=[4, 3])
cats = np.stack([p, q], axis=1)
shares = bayes.fit(cats[train], label[train]).predict_proba(cats[test])
for each in range(3):
    expected[f"bayes_{each}"] = shares[:, each]
two = label > 0
svm = LinearSVC(loss="hinge", C=1.0, tol=1e-10, max_iter=10_000_000, random_state=0)
expected["svm_score"] = svm.fit(design[train], two[train]).decision_function(design[test])
logistic = LogisticRegression(C=1.0, tol=1e-12, max_iter=100_000)
expected["logistic"] = logistic.fit(design[train], label[train]).predict(design[test])
expected["linear"] = LinearRegression().fit(design[train], number[train]).predict(design[test])
wide = np.hstack([numbers, p[:, None], q[:, None]])
forest = RandomForestClassifier(n_estimators=40, criterion="entropy", max_features=3, random_state=0)
expected["forest"] = forest.fit(wide[train], label[train]).predict(wide[test])
with open("expected.csv", "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(expected)
    out.writerows(zip(*([repr(v.item()) for v in column] for column in expected.values())))
print("scikit-learn", sklearn.__version__)
