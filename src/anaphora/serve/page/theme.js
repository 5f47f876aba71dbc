// Runs before the page is drawn, so that it is not drawn in the other colours first.
const theme = localStorage.getItem("anaphora.theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
