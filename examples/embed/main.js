// Asks the page's own server for a token, and for the next one before it ends.
const view = document.querySelector('terrarium-view');
const RENEW_MS = 8 * 60_000;

async function openSession() {
  const response = await fetch('/session', { method: 'POST' });
  return response.json();
}

view.addEventListener('connection', ({ detail }) => {
  document.querySelector('#state').textContent = `The connection is ${detail.state}.`;
});

const { url, clusterId, token } = await openSession();
view.setAttribute('url', url);
view.setAttribute('cluster', clusterId);
view.token = token;
setInterval(async () => (view.token = (await openSession()).token), RENEW_MS);
