import { textOf } from '../../../../engine/kernel/bytes.js';
import { parseQuery, plainText, type AnswerParts } from '../../http.js';
import { html, httpAsk, json, type App, type AppRequest, type AppServer, type Ask } from '../app.js';
import { at, bodyOf, escape } from './common.js';

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

export const details: App = {
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

export const ratings: App = {
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

/** Headers that a service passes on to the ones that it asks. */
const PASSED = ['x-request-id', 'user-agent', 'cookie', 'authorization', 'end-user'];
const SESSION = 'session';
/** How long the services wait for each other: the one with black stars is the most patient. */
const BLACK_MS = 10_000;
const RED_MS = 2_500;
const PAGE_MS = 3_000;

const passedOn = ({ headers }: Pick<AppRequest, 'headers'>): string[] =>
  PASSED.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]));

export const reviews = (version: 1 | 2 | 3): App => {
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
    answer(request, server) {
      const { route } = request;
      if (route === '/health') return json({ status: 'Reviews is healthy' });
      const [, first, id = '0'] = route.split('/');
      if (first !== 'reviews') return plainText('Not Found', 404);
      if (version === 1) return list(server, id);
      return {
        ask: [
          {
            ...httpAsk(
              textOf(server.sys.env['RATINGS_HOSTNAME'] ?? 'ratings'),
              9_080,
              `/ratings/${id}`,
              passedOn(request),
            ),
            timeout: version === 2 ? BLACK_MS : RED_MS,
          },
        ],
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

export const productpage: App = {
  ports: (argv) => [Number(argv.find((word) => /^\d+$/.test(word)) ?? 9_080)],
  readyMs: 1_500,
  logsTo: 'stderr',
  log: (server) => [
    `[${at(server)}] [1] [INFO] Starting gunicorn 23.0.0`,
    `[${at(server)}] [1] [INFO] Listening at: http://[::]:9080 (1)`,
  ],
  answer(request, { sys }) {
    const { route, method, body } = request;
    const user = userOf(request);
    const passed = passedOn({ headers: { ...request.headers, ...(user ? { 'end-user': user } : {}) } });
    const ask = (variable: string, name: string): Ask => ({
      ...httpAsk(textOf(sys.env[variable] ?? name), 9_080, `/${name}/0`, passed),
      timeout: PAGE_MS,
    });
    const own = [ask('DETAILS_HOSTNAME', 'details'), { ...ask('REVIEWS_HOSTNAME', 'reviews'), tries: 2 }];
    if (route === '/login' && method === 'POST') return enter(parseQuery(body).get('username') ?? '');
    if (route === '/logout') return enter('');
    if (route === '/health') return plainText('Product page is healthy');
    if (route === '/' || route === '/index.html')
      return html(
        '<!DOCTYPE html>\n<html>\n  <head>\n    <title>Simple Bookstore App</title>\n  </head>\n  <body>\n    <h3>Hello! This is a simple bookstore application consisting of three services as shown below</h3>\n    <a href="/productpage?u=normal">Normal user</a>\n    <a href="/productpage?u=test">Test user</a>\n  </body>\n</html>\n',
      );
    if (route === '/productpage') return { ask: own, note: `page ${user ?? ''}` };
    if (/^\/api\/v1\/products\/\d+$/.test(route)) return { ask: own.slice(0, 1), note: 'json' };
    if (/^\/api\/v1\/products\/\d+\/reviews$/.test(route)) return { ask: own.slice(1), note: 'json' };
    if (/^\/api\/v1\/products\/\d+\/ratings$/.test(route))
      return { ask: [ask('RATINGS_HOSTNAME', 'ratings')], note: 'json' };
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
    return html(bookPage(bodies[0], bodies[1], String(note).slice('page '.length)));
  },
};

/** Who has signed in, by the cookie of the session. */
function userOf({ headers }: AppRequest): string | undefined {
  const value = new RegExp(`(?:^|;\\s?)${SESSION}=([^;.]{1,400})`).exec(headers['cookie'] ?? '')?.[1];
  if (value === undefined) return undefined;
  try {
    return (JSON.parse(atob(value)) as { user?: string }).user;
  } catch {
    // No session of this server.
    return undefined;
  }
}

/** Signs in, or out, and leads back to the page. */
function enter(user: string): AnswerParts {
  const session = user === '' ? '' : `${btoa(JSON.stringify({ user })).replaceAll('=', '')}.signed`;
  return {
    status: 302,
    headers: {
      ...{ location: '/productpage', 'content-type': 'text/html; charset=utf-8' },
      'set-cookie': `${SESSION}=${session}; HttpOnly; Path=/`,
    },
    body: '',
  };
}

function bookPage(book: string | undefined, list: string | undefined, user: string): string {
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
  return `<!DOCTYPE html>\n<html>\n  <head>\n    <title>Simple Bookstore App</title>\n  </head>\n  <body>\n${user === '' ? '' : `<span>${escape(user)}</span> (<a href="logout">sign out</a>)\n`}<h3>The Comedy of Errors</h3>\n${about}${text}  </body>\n</html>\n`;
}

function starsOf(rating: ReviewList['reviews'][number]['rating']): string {
  if (rating === undefined) return '';
  if (rating.error !== undefined) return `<p><i>${rating.error}</i></p>\n`;
  const star = '<span class="glyphicon glyphicon-star"></span>\n';
  return `<font color="${rating.color ?? ''}">\n<!-- full stars: -->\n${star.repeat(rating.stars ?? 0)}</font>\n`;
}
