// Only for the moment when the server cannot be reached: then a page says so.  The rules are on the server, and so
// are all games; nothing else is kept here.
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
