// Shows how far the rules are while they are being compiled. A page that waits for them is loaded again when they are
// ready or have failed; on other pages the words then disappear, or say what is wrong.

const EVERY = 1000; // milliseconds from one look to the next
const READY = 204;
const FAILED = 503;
const place = document.getElementById("compiling");
let shown = "";

const look = async () => {
  const answer = await fetch("/compiling").catch(() => null);
  const over = answer?.status === READY || answer?.status === FAILED;
  if (over && "loadAgain" in place.dataset) {
    location.reload();
  } else if (answer?.status === READY) {
    place.remove();
  } else {
    const words = answer ? await answer.text() : shown;
    if (words !== shown) place.innerHTML = words; // what did not change is not read out again
    shown = words;
    if (!over) setTimeout(look, EVERY);
  }
};

setTimeout(look, EVERY);
