import crypto from 'node:crypto';
import swc from '@swc/jest';

/** An import, as swc prints it: on one line, maybe behind a comment. */
const IMPORT = /(?<=^|\*\/ )import\b[^;'"]*['"][^'"\n]+['"];$/gm;

/**
 * Makes the module of a spec one whose default export declares its tests: a group of specs calls it inside a
 * `describe`, which must not wait, so that an ES module cannot be imported there. No line moves.
 */
function exportTests(code) {
  const [statements, map = ''] = code.split(/(?=\n\/\/# sourceMappingURL=)/);
  const imports = [];
  const tests = statements.replace(IMPORT, (statement) => (imports.push(statement), ''));
  return `${imports.join(' ')} export default () => {${tests}\n};${map}`;
}

/** @swc/jest for the specs of a group. */
export default {
  createTransformer(options) {
    const transformer = swc.createTransformer(options);
    const wrap = (result) => ({ ...result, code: exportTests(result.code) });
    return {
      ...transformer,
      process: (...args) => wrap(transformer.process(...args)),
      processAsync: async (...args) => wrap(await transformer.processAsync(...args)),
      getCacheKey: (...args) =>
        crypto
          .createHash('sha1')
          .update(transformer.getCacheKey(...args))
          .update(`${IMPORT} ${exportTests}`)
          .digest('hex'),
    };
  },
};
