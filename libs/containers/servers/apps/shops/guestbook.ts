import { textOf } from '../../../../engine/kernel/bytes.js';
import { plainText } from '../../http.js';
import { html, json, redisAsk, redisText, type App, type AppServer } from '../app.js';

const HEADERS = { 'content-type': 'text/html; charset=UTF-8' };
const hostOf = ({ sys }: AppServer, role: 'leader' | 'follower'): string => {
  const isEnv = textOf(sys.env['GET_HOSTS_FROM'] ?? 'dns') === 'env';
  const old = role === 'leader' ? 'redis-master' : 'redis-slave';
  const variable = `REDIS_${role === 'leader' ? 'LEADER' : 'FOLLOWER'}_SERVICE_HOST`;
  const isOld =
    sys.env['REDIS_LEADER_SERVICE_HOST'] === undefined && sys.env['REDIS_MASTER_SERVICE_HOST'] !== undefined;
  const name = isOld ? old : `redis-${role}`;
  return isEnv
    ? textOf(sys.env[isOld ? `${old.toUpperCase().replace('-', '_')}_SERVICE_HOST` : variable] ?? name)
    : name;
};

export const guestbook: App = {
  ports: () => [80],
  readyMs: 500,
  logsTo: 'stderr',
  log: ({ sys }) => [
    `AH00558: apache2: Could not reliably determine the server's fully qualified domain name, using ${textOf(sys.hostname)}. Set the 'ServerName' directive globally to suppress this message`,
  ],
  answer(request, server) {
    const { route, query } = request;
    if (route === '/' || route === '/index.html')
      return html(
        '<html ng-app="redis">\n  <head>\n    <title>Guestbook</title>\n    <script src="controllers.js"></script>\n  </head>\n  <body ng-controller="RedisCtrl">\n    <div style="width: 50%; margin-left: 20px">\n      <h2>Guestbook</h2>\n    <form>\n    <fieldset>\n    <input ng-model="msg" placeholder="Messages" class="form-control" type="text" name="input"><br>\n    <button type="button" class="btn btn-primary" ng-click="controller.onRedis()">Submit</button>\n    </fieldset>\n    </form>\n    <div>\n      <div ng-repeat="msg in messages track by $index">\n        {{msg}}\n      </div>\n    </div>\n    </div>\n  </body>\n</html>\n',
      );
    if (route !== '/guestbook.php') return { status: 404, headers: HEADERS, body: 'Not Found' };
    const key = query.get('key') ?? 'messages';
    if (query.get('cmd') === 'set')
      return { ask: [redisAsk(hostOf(server, 'leader'), 6_379, ['SET', key, query.get('value') ?? ''])], note: 'set' };
    if (query.get('cmd') === 'get')
      return {
        ask: (['follower', 'leader'] as const).map((role) => redisAsk(hostOf(server, role), 6_379, ['GET', key])),
        note: 'get',
      };
    return { status: 200, headers: HEADERS, body: '' };
  },
  told(note, [told, leader], server) {
    if (told === undefined || told.error !== '') {
      server.err(`PHP Fatal error:  Uncaught Predis\\Connection\\ConnectionException: ${told?.error ?? ''}\n`);
      return { status: 500, headers: HEADERS, body: '' };
    }
    // What is written to the leader is at once its followers', which copy nothing here.
    const copied = leader?.error === '' ? redisText(leader.received) : undefined;
    const text = textOf(redisText(told.received) ?? copied ?? '');
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: note === 'set' ? '{"message": "Updated"}' : JSON.stringify({ data: text }).replace('":"', '": "'),
    };
  },
};

export const guestbookGo: App = {
  ports: () => [3_000],
  log: () => ['[negroni] listening on :3000'],
  answer({ route }, server) {
    const leader = server.sys.env['REDIS_LEADER_SERVICE_HOST'] === undefined ? 'redis-master' : 'redis-leader';
    const follower = leader === 'redis-master' ? 'redis-slave' : 'redis-follower';
    const [, first = '', key = '', value] = route.split('/');
    if (first === 'lrange')
      return {
        ask: [
          redisAsk(follower, 6_379, ['LLEN', key]),
          // As above: its followers have what the leader has.
          ...Array.from({ length: 10 }, (_, i) => redisAsk(leader, 6_379, ['LINDEX', key, String(i)])),
        ],
        note: 'list',
      };
    if (first === 'rpush')
      return {
        ask: [
          redisAsk(leader, 6_379, ['RPUSH', key, decodeURIComponentSafe(value ?? '')]),
          ...Array.from({ length: 10 }, (_, i) => redisAsk(leader, 6_379, ['LINDEX', key, String(i)])),
        ],
        note: 'list',
      };
    if (first === 'info') return { ask: [redisAsk(leader, 6_379, ['INFO'])], note: 'info' };
    if (first === 'env')
      return json(
        Object.fromEntries(Object.entries(server.sys.env).map(([name, text]) => [name, textOf(text)])),
        200,
        2,
      );
    return html(
      '<!DOCTYPE html>\n<html lang="en">\n  <head>\n    <title>Guestbook</title>\n  </head>\n  <body>\n    <div id="header">\n      <h1>Guestbook</h1>\n    </div>\n    <div id="guestbook-entries">\n      <p>Waiting for database connection...</p>\n    </div>\n  </body>\n</html>\n',
    );
  },
  told(note, told) {
    const failed = told.find(({ error }) => error !== '');
    if (failed) return plainText(failed.error, 500);
    if (note === 'info') return plainText(textOf(redisText(told[0]!.received) ?? ''));
    return json(
      told
        .slice(1)
        .map(({ received }) => redisText(received))
        .filter((text) => text !== undefined)
        .map((text) => textOf(text)),
      200,
      2,
    );
  },
};

const decodeURIComponentSafe = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
