"use strict";
(() => {
  const cards = [...document.querySelectorAll("[data-verdict]")];
  const boxes = [...document.querySelectorAll("input[name=verdict]")];
  const kind = document.getElementById("kind");
  const words = document.getElementById("words");
  const shown = document.getElementById("shown");
  const texts = cards.map((card) => card.textContent.toLowerCase());

  const filter = () => {
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const sought = words.value.trim().toLowerCase();
    let count = 0;
    cards.forEach((card, at) => {
      const fits =
        (!wanted.size || wanted.has(card.dataset.verdict)) &&
        (!kind || !kind.value || kind.value === card.dataset.kind) &&
        (!sought || texts[at].includes(sought));
      card.hidden = !fits;
      count += fits;
    });
    shown.textContent = `${count} of ${cards.length} shown`;
  };

  // Paper has no way to open what is closed.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    opened.forEach((each) => { each.open = true; });
  });
  addEventListener("afterprint", () => opened.forEach((each) => { each.open = false; }));

  const form = document.getElementById("filter");
  if (!form) return;
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  filter();
})();
