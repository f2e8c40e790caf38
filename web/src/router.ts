/** Addresses of the page: which screen a path shows, and links that do not load it anew. */

export type Route =
  | { screen: "lobby" | "finished" | "connect" | "lost" }
  | { screen: "new"; game: string }
  | { screen: "match"; id: string };

export function routeOf(path: string): Route {
  const [, first = "", second = "", ...rest] = path.split("/");
  if (rest.length === 0 && second) {
    if (first === "match") return { screen: "match", id: decodeURIComponent(second) };
    if (first === "new") return { screen: "new", game: decodeURIComponent(second) };
  } else if (!second) {
    if (first === "") return { screen: "lobby" };
    if (first === "finished" || first === "connect") return { screen: first };
  }
  return { screen: "lost" };
}

export const pathTo = {
  match: (id: string) => `/match/${encodeURIComponent(id)}`,
  create: (game: string) => `/new/${encodeURIComponent(game)}`,
};

/** Show another screen; going back returns to this one. */
export function go(path: string): void {
  if (path !== location.pathname) history.pushState(null, "", path);
  dispatchEvent(new Event("route"));
}

/** Turn clicks on links to our own screens into `route` events, which `popstate` fires too. */
export function followLinks(changed: () => void): void {
  addEventListener("route", changed);
  addEventListener("popstate", changed);
  addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey
    )
      return;
    const link = event
      .composedPath()
      .find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement);
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin)
      return;
    if (link.hash && link.pathname === location.pathname) return;
    if (link.pathname.startsWith("/api/") || link.pathname.includes(".")) return;
    event.preventDefault();
    go(link.pathname);
  });
}
