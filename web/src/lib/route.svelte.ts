const SECRET = /\b(invite|code)=|^#mine$/;

/** Where we are: the path as a list of words.  Links are plain <a href>: `follow` catches their clicks. */
class Route {
  path = $state(location.pathname);
  /** What stands behind the `#` when a page is opened; taken out of the address at once, as invitations are secret. */
  hash = location.hash;

  words = $derived(this.path.split('/').filter(Boolean));

  constructor() {
    addEventListener('popstate', () => (this.path = location.pathname));
    // A link to the page that is open already: by itself the browser would only change the address.
    addEventListener('hashchange', () => {
      if (SECRET.test(location.hash)) location.reload();
    });
    this.#forgetHash();
  }

  /** The invitation that came with the address, if any; handed out once. */
  takeInvite = (): string | null => {
    const invite = new URLSearchParams(this.hash.slice(1)).get('invite');
    this.hash = '';
    return invite;
  };

  /** The same for a code by which this device becomes somebody's. */
  takeCode = (): string | null => {
    const code = new URLSearchParams(this.hash.slice(1)).get('code');
    if (code !== null) this.hash = '';
    return code;
  };

  go = (href: string): void => {
    const to = new URL(href, location.href);
    this.hash = to.hash;
    history.pushState(null, '', to.pathname + to.search);
    this.path = to.pathname;
    scrollTo(0, 0);
  };

  follow = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null;
    if (
      !link ||
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey
    )
      return;
    const other =
      link.origin !== location.origin ||
      link.target ||
      link.hasAttribute('download') ||
      link.pathname.startsWith('/api');
    if (other || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    this.go(link.href);
  };

  #forgetHash() {
    if (SECRET.test(this.hash)) history.replaceState(null, '', location.pathname + location.search);
  }
}

export const route = new Route();
