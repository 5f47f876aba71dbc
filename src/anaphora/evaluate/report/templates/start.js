// What the page does when it opens: which system its sections show, and the view it was linked by.

const pick = document.getElementById("system");
const show = () => {
  for (const part of document.querySelectorAll("[data-run-section]")) {
    part.classList.toggle("other-system", part.dataset.runSection !== pick.value);
  }
};
if (pick) {
  pick.addEventListener("change", show);
  show();
}

const follow = () => {
  const was = open;
  const next = readState();
  if (next === null) {
    if (dialog.open) dialog.close();
    open = null;
    return;
  }
  state = next;
  render();
  if (open === null && was === null) document.getElementById("turns").scrollIntoView();
};
window.addEventListener("hashchange", follow);
state = readState() ?? new URLSearchParams();
render();
if (readState() && open === null) document.getElementById("turns").scrollIntoView();
