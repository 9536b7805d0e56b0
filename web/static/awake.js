// Keep a screen from falling asleep, where the browser can: on the computer itself (localhost) or by https.

export function stayAwake() {
  if (!navigator.wakeLock) return;
  const ask = () => {
    // A lock is lost whenever the page is out of sight. Refused (low battery, settings): the screen may sleep.
    if (document.visibilityState === "visible") navigator.wakeLock.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
