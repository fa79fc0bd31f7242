"""The transformer: scikit-learn's own checks, pipelines, searches, and the paper's protocol on Adult."""

from __future__ import annotations

import pickle

import numpy
import pandas
import polars
import pytest
from conftest import ADULT
from sklearn.base import clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import estimator_checks_generator

from coarsen.sklearn import Coarsener

#: scikit-learn's checks that do not apply, and why. Every other one passes; one that is listed and passes, or
#: that there is no longer, fails the test.
DO_NOT_APPLY = {
    "check_array_api_input": "arrays of other libraries: scikit-learn itself leaves it out unless SCIPY_ARRAY_API is set",
}
#: These take the difference of what two calls gave, and labels such as `20..29` have none.
NO_LABELS = {
    "check_fit_idempotent",
    "check_transformer_data_not_an_array",
    "check_estimators_pickle",
    "check_pipeline_consistency",
    "check_methods_subset_invariance",
    "check_methods_sample_order_invariance",
    "check_transformer_general",
}

SETTINGS = [
    ({}, set()),
    ({"represent": "bounds"}, set()),
    ({"represent": "range"}, NO_LABELS),
    ({"algorithm": "datafly", "suppression": 0.1}, set()),
    ({"algorithm": "top-down"}, set()),
]


@pytest.mark.parametrize(("settings", "too"), SETTINGS, ids=lambda value: str(value) if isinstance(value, dict) else "")
def test_the_estimator_checks_of_scikit_learn(settings, too):
    failed: dict[str, str] = {}
    seen = set()
    for estimator, check in estimator_checks_generator(Coarsener(k=2, **settings)):
        name = check.func.__name__
        seen.add(name)
        try:
            check(estimator)
        except Exception as error:  # noqa: BLE001
            failed[name] = f"{type(error).__name__}: {error}"
    assert len(seen) >= 40
    assert set(failed) == set(DO_NOT_APPLY) | too, failed


@pytest.fixture
def labelled(people):
    return people[["age", "zip", "sex", "stay"]], people["disease"]


def encoded():
    names = make_column_selector(dtype_exclude="number")
    return make_column_transformer((OneHotEncoder(handle_unknown="ignore"), names), remainder="passthrough")


def test_parameters_and_clone():
    one = Coarsener(k=7, represent="bounds", hierarchies={"age": {"hierarchy": {"intervals": [5]}}})
    assert clone(one).get_params() == one.get_params()
    assert one.set_params(k=3).k == 3


def test_what_it_gives_depends_on_the_row_alone(labelled):
    X, y = labelled
    fitted = Coarsener(k=4, quasi_identifiers=["age", "zip", "sex"]).fit(X, y)
    assert fitted.release_.audit.k >= 4 and fitted.recoding_.columns == ["age", "zip", "sex"]
    whole = fitted.transform(X)
    assert list(whole.columns) == list(fitted.get_feature_names_out()) == ["age", "zip", "sex", "stay"]
    assert whole.index.equals(X.index) and whole["stay"].tolist() == X["stay"].tolist()
    pandas.testing.assert_frame_equal(fitted.transform(X.iloc[5:9]), whole.iloc[5:9])
    shuffled = X.sample(frac=1, random_state=1)
    pandas.testing.assert_frame_equal(fitted.transform(shuffled), whole.loc[shuffled.index])
    again = pickle.loads(pickle.dumps(fitted))
    pandas.testing.assert_frame_equal(again.transform(X), whole)


def test_rows_it_has_never_seen(labelled):
    X, y = labelled
    fitted = Coarsener(k=4).fit(X, y)
    far = X.head(2).assign(age=[200, -5])
    ends = X.head(2).assign(age=[X["age"].max(), X["age"].min()])
    pandas.testing.assert_frame_equal(fitted.transform(far), fitted.transform(ends))
    strange = fitted.transform(X.head(1).assign(zip="99999"))
    assert strange["zip"].tolist() == ["*"] and strange["age"].isna().all()
    with pytest.raises(ValueError, match="feature names"):
        fitted.transform(X.rename(columns={"age": "years"}))


def test_set_output(labelled):
    X, y = labelled
    numbers = X[["age", "stay"]]
    for kind, frame in (("pandas", pandas.DataFrame), ("polars", polars.DataFrame)):
        out = Coarsener(k=4).set_output(transform=kind).fit(numbers.to_numpy(), y).transform(numbers.to_numpy())
        assert isinstance(out, frame) and list(out.columns) == ["x0", "x1"]
    assert isinstance(Coarsener(k=4).fit_transform(numbers.to_numpy(), y), numpy.ndarray)
    frame = polars.from_pandas(X)
    assert isinstance(Coarsener(k=4).fit(frame, y).transform(frame), polars.DataFrame)


def test_pipelines_and_searches(labelled):
    X, y = labelled
    model = make_pipeline(Coarsener(), encoded(), DecisionTreeClassifier(random_state=1))
    search = GridSearchCV(model, {"coarsener__k": [3, 8], "coarsener__represent": ["midpoint", "bounds"]}, cv=2)
    search.fit(X, y)
    assert search.best_params_["coarsener__k"] in (3, 8)
    assert len(search.predict(X)) == len(X)


def test_bad_settings_are_told():
    X = numpy.arange(20.0).reshape(-1, 1)
    for settings in ({"k": -1}, {"k": 0}, {"represent": "colour"}, {"algorithm": "magic"}, {"suppression": 2}):
        with pytest.raises(ValueError):
            Coarsener(**settings).fit(X)
    with pytest.raises(ValueError, match="minimum of 21 is required"):
        Coarsener(k=21).fit(X)


def test_the_paper_s_protocol_on_adult(adult):
    """Seed 001: learn from the release and from the data themselves, and test on rows that neither saw."""
    train, test = adult
    X, y = train[ADULT], train["salary-class"]
    tree = DecisionTreeClassifier(min_samples_leaf=20, random_state=1)
    plain = make_pipeline(encoded(), tree).fit(X, y)
    released = make_pipeline(Coarsener(k=50), encoded(), clone(tree)).fit(X, y)
    error = [1 - model.score(test[ADULT], test["salary-class"]) for model in (plain, released)]
    assert released[0].release_.audit.k >= 50
    assert error[1] - error[0] < 0.015, error
