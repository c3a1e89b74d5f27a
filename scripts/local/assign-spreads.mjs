// How the pure libraries spread objects. V8 of Node.js 20 makes a hidden class of its own for `{ ...pod, status }` each
// time: 600 ns, and all that reads such objects misses its inline caches. `Object.assign` takes 90 ns, and a day of a
// cluster a sixth less.

/** It would call a setter where an object has a key `__proto__`, which parsed JSON may have. */
const __spreadValues = (target, source) =>
  source != null && Object.hasOwn(source, '__proto__')
    ? Object.defineProperties(target, Object.getOwnPropertyDescriptors(source))
    : Object.assign(target, source);

/** No literal has getters (house/no-literal-getters). */
const __spreadProps = (target, literal) => __spreadValues(target, literal);

const __objRest = (source, names) => {
  const rest = {};
  for (const key of Object.keys(source)) {
    if (names.includes(key)) continue;
    if (key === '__proto__') Object.defineProperty(rest, key, Object.getOwnPropertyDescriptor(source, key));
    else rest[key] = source[key];
  }
  for (const key of Object.getOwnPropertySymbols(source)) rest[key] = source[key];
  return rest;
};

/** By the names that esbuild gives its own, which define property after property. */
const HELPERS = Object.entries({ __spreadValues, __spreadProps, __objRest });

/** The chunks of a bundle with these in the place of esbuild's; the lines below stay where a source map says. */
export function assignSpreads(chunks) {
  return HELPERS.reduce((texts, [name, helper]) => {
    const own = new RegExp(`^var ${name} = (?:.*;|[^]*?\\n};)$`, 'm');
    const isCalled = texts.some((text) => text.includes(`${name}(`));
    if (isCalled && !texts.some((text) => own.test(text))) throw new Error(`esbuild defines no ${name}`);
    return texts.map((text) => text.replace(own, (found) => `var ${name} = ${onOneLine(helper)};${linesBelow(found)}`));
  }, chunks);
}

const onOneLine = (helper) => String(helper).replace(/\s*\n\s*/g, ' ');

const linesBelow = (text) => '\n'.repeat(text.split('\n').length - 1);
