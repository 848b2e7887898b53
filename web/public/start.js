// Before anything is drawn: the colours that were chosen here, else those of the system.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // No storage, no choice.
  }
  var isDark =
    chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", isDark ? "dark" : "light");
})();

// A file that the page begins with and that does not load leaves no empty page: `#start` says so, and
// the page is loaded again once the file can be had. See web/build/start-notice.ts.
(function () {
  var words = {
    en: ["The page could not be loaded.", "It is loaded again as soon as possible.", "Load it now"],
    fr: [
      "La page n’a pas pu être chargée.",
      "Elle le sera dès que possible.",
      "Charger maintenant",
    ],
    de: ["Die Seite konnte nicht geladen werden.", "Ein neuer Versuch folgt.", "Jetzt laden"],
    es: ["No se pudo cargar la página.", "Se intentará de nuevo.", "Cargar ahora"],
    it: ["Impossibile caricare la pagina.", "Un nuovo tentativo è in corso.", "Carica ora"],
    nl: ["De pagina kon niet worden geladen.", "We proberen het opnieuw.", "Nu laden"],
    pt: ["Não foi possível carregar a página.", "Vamos tentar de novo.", "Carregar agora"],
  };
  var failed = [];
  var isOver = false;
  var counter = "sightline.failed-starts";
  var stored = function (value) {
    try {
      if (value === undefined) {
        return Number(sessionStorage.getItem(counter)) || 0;
      }
      sessionStorage.setItem(counter, String(value));
    } catch {
      // Without storage every page begins with short pauses.
    }
    return 0;
  };
  var language = function () {
    var wanted = [null];
    try {
      wanted = [localStorage.getItem("sightline.language")];
    } catch {
      // The browser's, then.
    }
    wanted = wanted.concat(navigator.languages || [navigator.language]);
    for (var index = 0; index < wanted.length; index += 1) {
      var tag = String(wanted[index]).slice(0, 2);
      if (Object.prototype.hasOwnProperty.call(words, tag)) {
        return tag;
      }
    }
    return "en";
  };
  var show = function () {
    var notice = document.getElementById("start") || document.createElement("div");
    notice.id = "start";
    var tag = language();
    var strong = document.createElement("strong");
    strong.textContent = words[tag][0];
    var button = document.createElement("a");
    button.href = location.href;
    button.textContent = words[tag][2];
    button.addEventListener("click", function (event) {
      event.preventDefault();
      location.reload();
    });
    var text = document.createElement("p");
    text.lang = tag;
    text.append(strong, document.createElement("br"), words[tag][1] + " ", button);
    notice.textContent = "";
    notice.append(text);
    notice.setAttribute("role", "alert");
    notice.setAttribute("data-shown", "");
    document.body.append(notice);
  };
  var again = function () {
    var failures = stored() + 1;
    stored(failures);
    var most = Math.min(30000, 1000 * Math.pow(2, failures - 1));
    setTimeout(
      function () {
        // A file that is gone: the page names another one by now.
        var asked = failed.map(function (url) {
          return fetch(url, { cache: "reload" }).then(function (answer) {
            return answer.ok || answer.status === 404;
          });
        });
        Promise.all(asked).then(
          function (found) {
            if (found.every(Boolean)) {
              location.reload();
            } else {
              again();
            }
          },
          function () {
            again();
          },
        );
      },
      most * (0.5 + Math.random() / 2),
    );
  };
  var fail = function (url) {
    failed.push(url);
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", show);
    } else {
      show();
    }
    if (failed.length === 1) {
      again();
    }
  };
  var finish = function (event) {
    if (failed.length > 0) {
      event.preventDefault(); // it is loaded again
      return;
    }
    isOver = true;
    stored(0);
    var notice = document.getElementById("start");
    if (notice !== null) {
      notice.remove();
    }
  };
  // Firefox also fires `error` for scripts that arrived, sometimes before their timing exists. A
  // script that did not arrive whole fails here again.
  var failUnlessArrived = function (url, attemptsLeft) {
    var entry = performance.getEntriesByName(url).pop();
    if (entry === undefined && attemptsLeft > 0) {
      setTimeout(failUnlessArrived, 250, url, attemptsLeft - 1);
      return;
    }
    if (entry === undefined || entry.responseStatus !== 200) {
      fail(url);
      return;
    }
    fetch(url, { cache: "force-cache" })
      .then(function (answer) {
        return answer.ok ? answer.text() : Promise.reject(new Error());
      })
      .catch(function () {
        fail(url);
      });
  };
  addEventListener(
    "error",
    function (event) {
      var target = event.target;
      if (target instanceof HTMLScriptElement && !isOver) {
        fail(target.src);
      } else if (target instanceof HTMLLinkElement) {
        // Only the page itself names scripts to preload, and whatever needs one that failed fails too.
        if (target.rel === "modulepreload") {
          if (/Firefox\//u.test(navigator.userAgent)) {
            failUnlessArrived(target.href, 4);
          } else {
            fail(target.href);
          }
        } else if (target.rel === "stylesheet" && !isOver) {
          fail(target.href);
        }
      }
    },
    true,
  );
  // Pages that load more before they can be drawn say so themselves.
  addEventListener("sightline:starting", show);
  addEventListener("sightline:started", finish);
  addEventListener("load", function (event) {
    if (document.getElementById("root") === null) {
      finish(event);
    }
  });
})();
