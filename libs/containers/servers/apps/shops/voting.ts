import { textOf } from '../../../../engine/kernel/bytes.js';
import { parseQuery, plainText } from '../../http.js';
import { html, redisAsk, type App, type AppServer } from '../app.js';
import { at, escape } from './common.js';

export const vote: App = {
  ports: () => [80],
  readyMs: 900,
  logsTo: 'stderr',
  log: (server) => [
    `[${at(server)}] [1] [INFO] Starting gunicorn 22.0.0`,
    `[${at(server)}] [1] [INFO] Listening at: http://0.0.0.0:80 (1)`,
  ],
  answer({ method, route, body, headers }, server) {
    if (route !== '/') return html('Not Found', 404);
    if (method !== 'POST') return votePage(server, undefined);
    const choice = parseQuery(body).get('vote') ?? '';
    const voter =
      /voter_id=([\da-f]+)/.exec(headers['cookie'] ?? '')?.[1] ??
      Math.floor(server.sys.random() * 2 ** 48).toString(16);
    server.out(`Received vote for ${choice}\n`);
    return {
      ask: [redisAsk('redis', 6_379, ['RPUSH', 'votes', JSON.stringify({ voter_id: voter, vote: choice })])],
      note: choice,
    };
  },
  told: (note, [told], server) =>
    told === undefined || told.error !== ''
      ? html(
          '<!doctype html>\n<html lang=en>\n<title>500 Internal Server Error</title>\n<h1>Internal Server Error</h1>\n',
          500,
        )
      : votePage(server, String(note)),
};

function votePage({ sys }: AppServer, choice: string | undefined) {
  const option = (name: string, fallback: string): string => textOf(sys.env[name] ?? fallback);
  const [a, b] = [option('OPTION_A', 'Cats'), option('OPTION_B', 'Dogs')];
  return html(
    `<!DOCTYPE html>\n<html>\n  <head>\n    <meta charset="utf-8">\n    <title>${a} vs ${b}!</title>\n  </head>\n  <body>\n    <div id="content-container">\n      <div id="content-container-center">\n        <h3>${a} vs ${b}!</h3>\n        <form id="choice" name='form' method="POST" action="/">\n          <button id="a" type="submit" name="vote" class="a" value="a">${a}</button>\n          <button id="b" type="submit" name="vote" class="b" value="b">${b}</button>\n        </form>\n        <div id="tip">\n          (Tip: you can change your vote)\n        </div>\n        <div id="hostname">\n          Processed by container ID ${textOf(sys.hostname)}\n        </div>\n      </div>\n    </div>\n${choice === undefined ? '' : `    <script>var vote = "${escape(choice)}";</script>\n`}  </body>\n</html>\n`,
  );
}

/** Left out: the votes themselves, which the worker puts into a database. */
export const result: App = {
  ports: (_argv, env) => [Number(env['PORT'] || 80)],
  readyMs: 700,
  log: () => ['App running on port 80', 'Connected to db'],
  answer: ({ route }) =>
    route === '/'
      ? html(
          '<!DOCTYPE html>\n<html ng-app="catsvsdogs">\n  <head>\n    <meta charset="utf-8">\n    <title>Cats vs Dogs -- Result</title>\n  </head>\n  <body ng-controller="statsCtrl" >\n     <div id="content-container">\n        <div id="choice">\n            <div class="label">Cats</div>\n            <div class="label">Dogs</div>\n        </div>\n     </div>\n     <div id="result">\n        <span ng-if="total == 0">No votes yet</span>\n      </div>\n  </body>\n</html>\n',
        )
      : plainText(`Cannot GET ${textOf(route)}`, 404),
};
