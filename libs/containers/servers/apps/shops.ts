import { textOf } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { readAnswer } from '../dial.js';
import { parseQuery, plainText } from '../http.js';
import { defineApp, html, httpAsk, json, redisAsk, redisText, type App, type AppServer, type Told } from './app.js';

const bodyOf = ({ received }: Told): string | undefined => {
  const answer = readAnswer(received);
  return answer !== undefined && answer.status === 200 ? textOf(answer.body) : undefined;
};
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const at = ({ sys }: AppServer): string => new Date(sys.now).toISOString();

// ---- bookinfo (istio/examples-bookinfo-*)

const NINE_THOUSAND_EIGHTY = [9_080];
const DETAILS = {
  id: 0,
  author: 'William Shakespeare',
  year: 1595,
  type: 'paperback',
  pages: 200,
  publisher: 'PublisherA',
  language: 'English',
  'ISBN-10': '1234567890',
  'ISBN-13': '123-1234567890',
};
const REVIEWS = [
  ['Reviewer1', 'An extremely entertaining play by Shakespeare. The slapstick humour is refreshing!'],
  [
    'Reviewer2',
    'Absolutely fun and entertaining. The play lacks thematic depth when compared to other plays by Shakespeare.',
  ],
] as const;

const details: App = {
  ports: () => NINE_THOUSAND_EIGHTY,
  readyMs: 900,
  logsTo: 'stderr',
  log: () => ['INFO  WEBrick 1.8.1', 'INFO  WEBrick::HTTPServer#start: pid=1 port=9080'],
  answer: ({ route }) =>
    route === '/health'
      ? json({ status: 'Details is healthy' })
      : route.startsWith('/details/')
        ? json({ ...DETAILS, id: Number(route.split('/')[2]) || 0 })
        : plainText('Not Found', 404),
};

const ratings: App = {
  ports: () => NINE_THOUSAND_EIGHTY,
  readyMs: 500,
  log: () => ['Server listening on: http://0.0.0.0:9080'],
  answer: ({ route, method, body }, { own }) => {
    if (route === '/health') return json({ status: 'Ratings is healthy' });
    if (!route.startsWith('/ratings/')) return plainText('Not Found', 404);
    if (method === 'POST') own.data['ratings'] = textOf(body).slice(0, 10_000);
    const set = own.data['ratings'];
    try {
      const own_ = typeof set === 'string' ? (JSON.parse(set) as object) : { Reviewer1: 5, Reviewer2: 4 };
      return json({ id: Number(route.split('/')[2]) || 0, ratings: own_ });
    } catch {
      return json({ error: 'please provide valid ratings JSON' }, 400);
    }
  },
};

const reviews = (version: 1 | 2 | 3): App => {
  const color = version === 2 ? 'black' : 'red';
  const list = (server: AppServer, id: string, stars?: Record<string, number> | 'missing') =>
    json({
      id,
      podname: textOf(server.sys.hostname),
      clustername: 'null',
      reviews: REVIEWS.map(([reviewer, text]) => ({
        ...{ reviewer, text },
        ...(stars === undefined
          ? {}
          : {
              rating:
                stars === 'missing'
                  ? { error: 'Ratings service is currently unavailable' }
                  : { stars: stars[reviewer] ?? 0, color },
            }),
      })),
    });
  return {
    ports: () => NINE_THOUSAND_EIGHTY,
    readyMs: 3_000,
    memory: 120 * 2 ** 20,
    log: () => [
      '[AUDIT   ] CWWKF0012I: The server installed the following features.',
      '[AUDIT   ] CWWKF0011I: The defaultServer server is ready to run a smarter planet. The defaultServer server started in 2.917 seconds.',
    ],
    answer({ route }, server) {
      if (route === '/health') return json({ status: 'Reviews is healthy' });
      const [, first, id = '0'] = route.split('/');
      if (first !== 'reviews') return plainText('Not Found', 404);
      if (version === 1) return list(server, id);
      return {
        ask: [httpAsk(textOf(server.sys.env['RATINGS_HOSTNAME'] ?? 'ratings'), 9_080, `/ratings/${id}`)],
        note: id,
      };
    },
    told(note, [told], server) {
      const body = told && bodyOf(told);
      const { ratings: stars } =
        body === undefined ? { ratings: undefined } : (JSON.parse(body) as { ratings?: Record<string, number> });
      return list(server, String(note), stars ?? 'missing');
    },
  };
};

interface ReviewList {
  readonly podname?: string;
  readonly reviews: readonly {
    reviewer: string;
    text: string;
    rating?: { stars?: number; color?: string; error?: string };
  }[];
}

const productpage: App = {
  ports: (argv) => [Number(argv.find((word) => /^\d+$/.test(word)) ?? 9_080)],
  readyMs: 1_500,
  logsTo: 'stderr',
  log: (server) => [
    `[${at(server)}] [1] [INFO] Starting gunicorn 23.0.0`,
    `[${at(server)}] [1] [INFO] Listening at: http://[::]:9080 (1)`,
  ],
  answer({ route }, { sys }) {
    const host = (variable: string, name: string): string => textOf(sys.env[variable] ?? name);
    const own = [
      httpAsk(host('DETAILS_HOSTNAME', 'details'), 9_080, '/details/0'),
      httpAsk(host('REVIEWS_HOSTNAME', 'reviews'), 9_080, '/reviews/0'),
    ];
    if (route === '/health') return plainText('Product page is healthy');
    if (route === '/' || route === '/index.html')
      return html(
        '<!DOCTYPE html>\n<html>\n  <head>\n    <title>Simple Bookstore App</title>\n  </head>\n  <body>\n    <h3>Hello! This is a simple bookstore application consisting of three services as shown below</h3>\n    <a href="/productpage?u=normal">Normal user</a>\n    <a href="/productpage?u=test">Test user</a>\n  </body>\n</html>\n',
      );
    if (route === '/productpage') return { ask: own, note: 'page' };
    if (/^\/api\/v1\/products\/\d+$/.test(route)) return { ask: own.slice(0, 1), note: 'json' };
    if (/^\/api\/v1\/products\/\d+\/reviews$/.test(route)) return { ask: own.slice(1), note: 'json' };
    if (/^\/api\/v1\/products\/\d+\/ratings$/.test(route))
      return { ask: [httpAsk(host('RATINGS_HOSTNAME', 'ratings'), 9_080, '/ratings/0')], note: 'json' };
    if (route === '/api/v1/products')
      return json([
        {
          id: 0,
          title: 'The Comedy of Errors',
          descriptionHtml:
            '<a href="https://en.wikipedia.org/wiki/The_Comedy_of_Errors">Wikipedia Summary</a>: The Comedy of Errors is one of <b>William Shakespeare\'s</b> early plays.',
        },
      ]);
    return plainText('Not Found', 404);
  },
  told(note, told) {
    const bodies = told.map(bodyOf);
    if (note === 'json')
      return bodies[0] === undefined
        ? json({ error: 'Sorry, product details are currently unavailable for this book.' }, 503)
        : { status: 200, headers: { 'content-type': 'application/json' }, body: bodies[0] };
    return html(bookPage(bodies[0], bodies[1]));
  },
};

function bookPage(book: string | undefined, list: string | undefined): string {
  const about =
    book === undefined
      ? '<h3>Error fetching product details!</h3>\n<p>Sorry, product details are currently unavailable for this book.</p>\n'
      : `<h4>Book Details</h4>\n<dl>\n${Object.entries(JSON.parse(book) as object)
          .filter(([name]) => name !== 'id')
          .map(([name, value]) => `<dt>${name}:</dt>${String(value)}\n`)
          .join('')}</dl>\n`;
  const told = list === undefined ? undefined : (JSON.parse(list) as ReviewList);
  const text =
    told === undefined
      ? '<h3>Error fetching product reviews!</h3>\n<p>Sorry, product reviews are currently unavailable for this book.</p>\n'
      : `<h4>Book Reviews</h4>\n${told.reviews.map(({ reviewer, text: said, rating }) => `<blockquote>\n<p>${said}</p>\n<small>${reviewer}</small>\n${starsOf(rating)}</blockquote>\n`).join('')}<dl>\n<dt>Reviews served by:</dt>\n<u>${told.podname ?? ''}</u>\n</dl>\n`;
  return `<!DOCTYPE html>\n<html>\n  <head>\n    <title>Simple Bookstore App</title>\n  </head>\n  <body>\n<h3>The Comedy of Errors</h3>\n${about}${text}  </body>\n</html>\n`;
}

function starsOf(rating: ReviewList['reviews'][number]['rating']): string {
  if (rating === undefined) return '';
  if (rating.error !== undefined) return `<p><i>${rating.error}</i></p>\n`;
  const star = '<span class="glyphicon glyphicon-star"></span>\n';
  return `<font color="${rating.color ?? ''}">\n<!-- full stars: -->\n${star.repeat(rating.stars ?? 0)}</font>\n`;
}

// ---- guestbook (gb-frontend) and its Go twin

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

const guestbook: App = {
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
      return { ask: [redisAsk(hostOf(server, 'follower'), 6_379, ['GET', key])], note: 'get' };
    return { status: 200, headers: HEADERS, body: '' };
  },
  told(note, [told], server) {
    if (told === undefined || told.error !== '') {
      server.err(`PHP Fatal error:  Uncaught Predis\\Connection\\ConnectionException: ${told?.error ?? ''}\n`);
      return { status: 500, headers: HEADERS, body: '' };
    }
    const text = textOf(redisText(told.received) ?? '');
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: note === 'set' ? '{"message": "Updated"}' : JSON.stringify({ data: text }).replace('":"', '": "'),
    };
  },
};

const guestbookGo: App = {
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
          ...Array.from({ length: 10 }, (_, i) => redisAsk(follower, 6_379, ['LINDEX', key, String(i)])),
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

// ---- the voting app (dockersamples/examplevotingapp_*)

const vote: App = {
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
const result: App = {
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

// ---- the Online Boutique (microservices-demo): its front end

const PRODUCTS = [
  ['OLJCESPC7Z', 'Sunglasses', '$19.99'],
  ['66VCHSJNUP', 'Tank Top', '$18.99'],
  ['1YMWWN1N4O', 'Watch', '$109.99'],
  ['L9ECAV7KIM', 'Loafers', '$89.99'],
  ['2ZYFJ3GM2N', 'Hairdryer', '$24.99'],
  ['0PUK6V6EV0', 'Candle Holder', '$18.99'],
  ['LS4PSXUNUM', 'Salt & Pepper Shakers', '$18.49'],
  ['9SIQT8TOJO', 'Bamboo Glass Jar', '$5.49'],
  ['6E92ZMYYFZ', 'Mug', '$8.99'],
] as const;

const boutique: App = {
  ports: (_argv, env) => [Number(env['PORT'] || 8_080)],
  readyMs: 300,
  stop: { afterMs: 0, code: 2 },
  refuse: (_argv, env) => {
    const missing = [
      'PRODUCT_CATALOG_SERVICE_ADDR',
      'CURRENCY_SERVICE_ADDR',
      'CART_SERVICE_ADDR',
      'RECOMMENDATION_SERVICE_ADDR',
      'CHECKOUT_SERVICE_ADDR',
      'SHIPPING_SERVICE_ADDR',
      'AD_SERVICE_ADDR',
    ].find((name) => !env[name]);
    return missing === undefined
      ? undefined
      : {
          message: `panic: environment variable "${missing}" not set\n\ngoroutine 1 [running]:\nmain.mustMapEnv(...)\n`,
          code: 2,
        };
  },
  log: (server) => [
    JSON.stringify({ message: 'Tracing disabled.', severity: 'info', timestamp: at(server) }),
    JSON.stringify({ message: 'Profiling disabled.', severity: 'info', timestamp: at(server) }),
    JSON.stringify({ message: 'starting server on :8080', severity: 'info', timestamp: at(server) }),
  ],
  answer({ route }) {
    if (route === '/_healthz') return plainText('ok');
    if (route === '/robots.txt') return plainText('User-agent: *\nDisallow: /');
    const page = (content: string) =>
      html(
        `<!DOCTYPE html>\n<html lang="en">\n<head>\n    <title>Online Boutique</title>\n</head>\n<body>\n<main role="main">\n${content}</main>\n</body>\n</html>\n`,
      );
    if (route === '/')
      return page(
        `<h3>Hot Products</h3>\n${PRODUCTS.map(([id, name, price]) => `<a href="/product/${id}">\n  <div class="hot-product-card-name">${escape(name)}</div>\n  <div class="hot-product-card-price">${price}</div>\n</a>\n`).join('')}`,
      );
    const product = PRODUCTS.find(([id]) => route === `/product/${id}`);
    if (product) return page(`<h2>${escape(product[1])}</h2>\n<p class="product-price">${product[2]}</p>\n`);
    if (route === '/cart')
      return page(
        '<h3>Your shopping cart is empty!</h3>\n<p>Items you add to your shopping cart will appear here.</p>\n',
      );
    return html('404 page not found\n', 404);
  },
};

// ---- WordPress before its installation

const wordpress: App = {
  ports: () => [80],
  readyMs: 2_500,
  logsTo: 'stderr',
  memory: 40 * 2 ** 20,
  headers: ({ sys }) => ({
    date: new Date(sys.now).toUTCString(),
    server: 'Apache/2.4.62 (Debian)',
    'x-powered-by': 'PHP/8.2.28',
  }),
  log: () => [
    'WordPress not found in /var/www/html - copying now...',
    'Complete! WordPress has been successfully copied to /var/www/html',
    "No 'wp-config.php' found in /var/www/html, but 'WORDPRESS_...' variables supplied; copying 'wp-config-docker.php' (WORDPRESS_DB_HOST WORDPRESS_DB_PASSWORD WORDPRESS_DB_USER)",
    '[mpm_prefork:notice] [pid 1] AH00163: Apache/2.4.62 (Debian) PHP/8.2.28 configured -- resuming normal operations',
    "[core:notice] [pid 1] AH00094: Command line: 'apache2 -D FOREGROUND'",
  ],
  answer({ route }, { sys }) {
    if (/^\/wp-(?:content|includes)\/|\.(?:css|js|png|ico)$/.test(route)) return html('Not Found', 404);
    const [host = 'mysql', port = '3306'] = textOf(sys.env['WORDPRESS_DB_HOST'] ?? 'mysql').split(':');
    const path = route === '/wp-admin/install.php' ? 'install' : 'other';
    return { ask: [{ host, port: Number(port), bytes: '', protocol: 'greeting' }], note: path };
  },
  told(note, [told]) {
    if (told !== undefined && told.error !== '' && !told.error.endsWith('i/o timeout'))
      return html(
        '<!DOCTYPE html>\n<html>\n<head>\n\t<title>Database Error</title>\n</head>\n<body id="error-page">\n\t<div class="wp-die-message"><h1>Error establishing a database connection</h1></div></body>\n</html>\n',
        500,
      );
    if (note !== 'install')
      return {
        status: 302,
        headers: { location: '/wp-admin/install.php', 'content-type': 'text/html; charset=utf-8' },
        body: '',
      };
    return html(
      '<!DOCTYPE html>\n<html lang="en-US" xml:lang="en-US">\n<head>\n\t<title>WordPress &rsaquo; Installation</title>\n</head>\n<body class="wp-core-ui language-chooser">\n<p id="logo">WordPress</p>\n\n\t<form id="setup" method="post" action="?step=1"><label class=\'screen-reader-text\' for=\'language\'>Select a default language</label>\n<select size=\'14\' name=\'language\' id=\'language\'>\n<option value="" lang="en" selected="selected" data-continue="Continue" data-installed="1">English (United States)</option>\n</select>\n</form>\n</body>\n</html>\n',
    );
  },
};

export const programs: Readonly<Record<string, Program>> = Object.fromEntries(
  Object.entries({
    ...{ details, ratings, productpage, guestbook, vote, result, boutique, wordpress, 'guestbook-go': guestbookGo },
    ...{ 'reviews-v1': reviews(1), 'reviews-v2': reviews(2), 'reviews-v3': reviews(3) },
  }).map(([name, app]) => [`apps:${name}`, defineApp(app)]),
);
