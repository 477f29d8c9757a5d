// Keys and highlights. The page says everything without them.
(function () {
  "use strict";
  const element = document.getElementById("run-data");
  if (!element) return;
  const data = JSON.parse(element.textContent);
  const steps = data.steps;
  const cards = new Map([...document.querySelectorAll(".step")].map((card) => [Number(card.dataset.step), card]));
  const arrows = [...document.querySelectorAll(".arrow")];
  const panel = document.getElementById("state");
  const keys = document.querySelector(".keys");
  let current = -1;

  // Values after a step: the initial ones and all changes up to it.
  function stateAfter(number) {
    const values = new Map(data.initial);
    for (let index = 0; index <= number; index++) for (const [name, value] of steps[index].changes) values.set(name, value);
    return values;
  }

  function showState(number) {
    const changed = new Set(steps[number].changes.map(([name]) => name));
    const table = document.createElement("table");
    const values = [...stateAfter(number)];
    const whose = (name) => (data.names[name][1] === null ? -1 : data.names[name][1]);
    values.sort(([one], [two]) => whose(one) - whose(two) || one - two);
    for (const [name, value] of values) {
      const row = table.insertRow();
      const thread = data.names[name][1];
      row.insertCell().textContent = data.names[name][0];
      row.insertCell().textContent = value;
      row.insertCell().textContent = thread === null ? "shared" : "thread " + thread;
      row.className = changed.has(name) ? "changed" : "";
    }
    const head = document.createElement("h3");
    head.textContent = "Values after step " + (number + 1);
    panel.replaceChildren(head, table);
    panel.hidden = values.length === 0;
  }

  // Only the lanes move, not the page.
  function revealCard(card) {
    const box = card.closest(".scroll");
    const [inner, outer] = [card.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.right > outer.right) box.scrollLeft += inner.right - outer.right + 20;
    if (inner.left < outer.left) box.scrollLeft -= outer.left - inner.left + 20;
  }

  // Only the pane of the source moves, not the page.
  function reveal(line) {
    const box = line.closest(".code");
    if (box.scrollHeight <= box.clientHeight) return;
    const from = line.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (from < 30 || from > box.clientHeight - 50) box.scrollTop += from - box.clientHeight / 3;
  }

  function show(number, scroll) {
    if (number < 0 || number >= steps.length) return;
    current = number;
    const step = steps[number];
    for (const old of document.querySelectorAll(".now")) old.classList.remove("now");
    for (const old of document.querySelectorAll(".line .value")) old.remove();
    const card = cards.get(step.row);
    card.classList.add("now");
    revealCard(card);
    for (const arrow of arrows) arrow.classList.toggle("lit", Number(arrow.dataset.from) === number || Number(arrow.dataset.to) === number);
    const lines = step.lines.map((id) => document.getElementById(id)).filter(Boolean);
    for (const line of lines) line.classList.add("now");
    if (lines.length && step.seen) {
      const value = document.createElement("span");
      value.className = "value";
      value.textContent = step.seen;
      lines[0].append(value);
    }
    if (lines.length) reveal(lines[0]);
    showState(number);
    document.getElementById("where").textContent = "step " + (number + 1) + " of " + steps.length + ", thread " + step.thread;
    if (scroll) {
      card.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "auto" });
      card.focus({ preventScroll: true });
      history.replaceState(null, "", "#step-" + (step.row + 1));
    }
  }

  // The neighbouring row, of the same thread if asked for.
  function move(direction, sameThread) {
    let next = current;
    if (current < 0) return show(direction > 0 ? 0 : steps.length - 1, true);
    do next += direction;
    while (next >= 0 && next < steps.length &&
      (steps[next].row === steps[current].row || (sameThread && steps[next].thread !== steps[current].thread)));
    if (next >= 0 && next < steps.length) show(steps[next].row, true);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
    const moves = {
      j: [1, false], ArrowDown: [1, false], ArrowRight: [1, false], k: [-1, false], ArrowUp: [-1, false], ArrowLeft: [-1, false],
      l: [1, true], h: [-1, true],
    };
    // Arrow keys scroll the source while it has the focus.
    if (event.key.startsWith("Arrow") && event.target.closest(".code")) return;
    if (moves[event.key]) move(...moves[event.key]);
    else if (event.key === "Home") show(0, true);
    else if (event.key === "End") show(steps.length - 1, true);
    else return;
    event.preventDefault();
  });
  for (const [number, card] of cards) {
    card.addEventListener("click", (event) => { if (!event.target.closest("a")) show(number, true); });
  }
  document.getElementById("back").addEventListener("click", () => move(-1, false));
  document.getElementById("next").addEventListener("click", () => move(1, false));
  function fromAddress() {
    const card = /^#step-\d+$/.test(location.hash) && document.querySelector(location.hash);
    if (card) show(Number(card.dataset.step), false);
    return Boolean(card);
  }
  window.addEventListener("hashchange", fromAddress);
  keys.hidden = false;
  if (!fromAddress()) show(steps.length - 1, false);
})();
