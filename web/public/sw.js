// For the moment when the server cannot be reached: then a page says so.  The rules are on the server, and so are all
// games; nothing else is kept here.  And for "your turn", where somebody has asked to be told (docs/wire.md, web push).
const KEPT = 'bullpen-offline-2';
const PAGE = '/offline.html';
const FILES = [PAGE, '/offline.css', '/icon.svg'];

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(FILES))
      .then(() => skipWaiting())
  );
});

addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))
      )
  );
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === 'navigate')
    event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  else if (FILES.includes(path)) event.respondWith(fetch(request).catch(() => caches.match(path)));
});

// In the words that the server chose, which are those of the player's language.
addEventListener('push', (event) => {
  const { title, body, table } = event.data.json();
  event.waitUntil(
    Promise.all([
      registration.showNotification(title, {
        body,
        tag: table,
        icon: '/icon-192.png',
        data: { table }
      }),
      navigator.setAppBadge?.()
    ])
  );
});

addEventListener('notificationclick', (event) => {
  const { table } = event.notification.data;
  event.notification.close();
  event.waitUntil(
    clients.matchAll({ type: 'window', includeUncontrolled: true }).then((windows) => {
      const there = windows.find(({ url }) => new URL(url).pathname === `/table/${table}`);
      return there ? there.focus() : clients.openWindow(`/table/${table}#mine`);
    })
  );
});
