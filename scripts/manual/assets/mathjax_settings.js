window.MathJax = {
  messageStyle: "none",
  showMathMenu: false,
  tex2jax: {inlineMath: [["\\(", "\\)"]], displayMath: [["\\[", "\\]"]], ignoreClass: ".*", processClass: "arithmatex"},
  SVG: {font: "TeX", linebreaks: {automatic: true}},
};
