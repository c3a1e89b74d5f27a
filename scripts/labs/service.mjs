import fs from 'node:fs';
import { inHome, Plain } from '../local/paths.mjs';

/** Asks a service: of the options, of the environment, or the one that was started in this folder. */
export function openService(options) {
  const file = inHome('dev.json');
  const dev = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  const url = options.url ?? process.env.TERRARIUM_URL ?? dev.url;
  const key = options.key ?? process.env.TERRARIUM_KEY ?? dev.apiKey;
  if (!url || !key) throw new Plain('which service? Give --url and --key, or TERRARIUM_URL and TERRARIUM_KEY');
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(url.replace(/\/+$/, '') + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (answer.ok) return text === '' ? undefined : JSON.parse(text);
    throw new Plain(`${answer.status}: ${messageOf(text)}`);
  };
}

function messageOf(text) {
  try {
    const { error, details } = JSON.parse(text);
    return details ? `\n  ${details.join('\n  ')}` : error;
  } catch {
    // Not from the service itself.
    return text.slice(0, 500);
  }
}
