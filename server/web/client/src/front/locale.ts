// The locale that a person chose by the address of the front page: it goes along to the other pages.

/** Adds the locale in `search` to an address of another page, in front of its fragment. */
export function withLocale(address: string, search: string): string {
  const locale = new URLSearchParams(search).get("locale");
  if (locale === null) return address;
  const [path = "", ...fragment] = address.split("#");
  const mark = path.includes("?") ? "&" : "?";
  return [`${path}${mark}locale=${encodeURIComponent(locale)}`, ...fragment].join("#");
}

/** Adds the locale of this page's address, if it has one. */
export function inLocale(address: string): string {
  return withLocale(address, location.search);
}
