// What forms cannot do alone: previews as one types, fields that only some choices need, progress as it
// happens. Without this script every page still works.
"use strict";

// Fields that belong to a choice show with it.
function showChosen(form) {
  for (const part of form.querySelectorAll("[data-when]")) {
    const choice = form.elements[part.dataset.when];
    part.hidden = !part.dataset.is.split(" ").includes(choice.value);
  }
}

// A preview asks the server for a moment's view of the form, a while after the last key.
function preview(part) {
  const form = part.closest("form");
  const into = document.getElementById(part.dataset.into);
  let timer;
  let turn = 0;
  const ask = async () => {
    const mine = ++turn;
    try {
      const answer = await fetch(part.dataset.preview, {
        method: "POST",
        body: new URLSearchParams(new FormData(form)),
      });
      // A later question has been asked meanwhile.
      if (mine === turn && answer.ok) into.innerHTML = await answer.text();
    } catch {
      // The page was stopped; the next form that is sent will say so.
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 300);
  };
  part.addEventListener("input", soon);
  part.addEventListener("change", soon);
}

// Progress comes as events; at the end the page is asked for anew.
function follow(panel) {
  const find = (id) => panel.querySelector("#" + id);
  const events = new EventSource(panel.dataset.events);
  let stage = find("stage").textContent;
  events.onmessage = (event) => {
    const told = JSON.parse(event.data);
    if (told.ended) {
      events.close();
      location.assign(panel.dataset.after);
      return;
    }
    const number = (value) => value.toLocaleString("en");
    find("stage").textContent = told.stage;
    find("seconds").textContent = Math.round(told.seconds);
    let figures = "";
    if (told.done !== null) figures += " step " + number(told.done);
    if (told.of !== null) figures += " of " + number(told.of);
    if (told.cost !== null) figures += ", cost " + Number(told.cost.toPrecision(4));
    find("figures").textContent = figures;
    const bar = find("bar");
    if (told.done !== null && told.of) {
      bar.max = told.of;
      bar.value = told.done;
    } else {
      bar.removeAttribute("value");
    }
    // Those who listen hear each stage once, not every step.
    if (told.stage !== stage) find("said").textContent = told.stage;
    stage = told.stage;
  };
}

// Where the steps do not fit, the present one is in view. (Scrolling it into view would move the place
// from which the keyboard goes on.)
const present = document.querySelector(".steps [aria-current]");
if (present) {
  const steps = present.closest("ol");
  steps.scrollLeft = present.offsetLeft - steps.clientWidth / 2;
}
for (const form of document.querySelectorAll("form")) {
  if (form.querySelector("[data-when]")) {
    showChosen(form);
    form.addEventListener("change", () => showChosen(form));
  }
}
document.querySelectorAll("[data-preview]").forEach(preview);
document.querySelectorAll("[data-events]").forEach(follow);
