import { plainText } from '../../http.js';
import { html, type App } from '../app.js';
import { at, escape } from './common.js';

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

export const boutique: App = {
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
