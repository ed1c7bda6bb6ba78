// The page of `hoist view`. The files of this folder are joined into one script (CMakeLists.txt), in which
// later ones use earlier ones. Names from files reach the page only through textContent and fillText.
"use strict";
(() => {
