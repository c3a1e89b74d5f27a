import { describe, expect, test } from '@jest/globals';
import { deleteOptions, listOptions, mutationOptions, parseRevision } from './options.js';
import { Query } from '../../machinery/requests/query.js';

describe('mutationOptions', () => {
  test.each<[string, object]>([
    ['', { dryRun: false, fieldValidation: 'Warn', fieldManager: '', force: false }],
    [
      'dryRun=All&fieldManager=kubectl&fieldValidation=Strict',
      { dryRun: true, fieldValidation: 'Strict', fieldManager: 'kubectl', force: false },
    ],
    [`fieldManager=${'m'.repeat(128)}`, { dryRun: false, fieldManager: 'm'.repeat(128) }],
  ])('of %j', (query, expected) => expect(mutationOptions('CreateOptions', new Query(query))).toMatchObject(expected));

  test('of an apply', () =>
    expect(mutationOptions('PatchOptions', new Query('fieldManager=m&force=true'), true)).toMatchObject({
      fieldManager: 'm',
      force: true,
    }));

  const PATCH = 'PatchOptions.meta.k8s.io "" is invalid: ';
  test.each<[string, boolean, string]>([
    ['', true, `${PATCH}fieldManager: Required value: is required for apply patch`],
    ['force=false', false, `${PATCH}force: Forbidden: may not be specified for non-apply patch`],
    [`fieldManager=${'m'.repeat(129)}`, false, `${PATCH}fieldManager: Too long: may not be more than 128 bytes`],
    [
      'fieldManager=a%00b',
      false,
      `${PATCH}fieldManager: Invalid value: "a\\u0000b": invalid character U+0000 (at position 1)`,
    ],
    ['dryRun=Some', false, `${PATCH}dryRun: Unsupported value: ["Some"]: supported values: "All"`],
    [
      'fieldValidation=Any',
      false,
      `${PATCH}fieldValidation: Unsupported value: "Any": supported values: "", "Ignore", "Strict", "Warn"`,
    ],
  ])('%j is refused', (query, isApply, message) =>
    expect(() => mutationOptions('PatchOptions', new Query(query), isApply)).toThrow(
      expect.objectContaining({ code: 422, message }) as never,
    ),
  );
});

describe('deleteOptions', () => {
  const QUERY = 'gracePeriodSeconds=0&propagationPolicy=Foreground&dryRun=All';
  test('of the query', () =>
    expect(deleteOptions(new Query(QUERY), undefined)).toEqual({
      gracePeriodSeconds: 0,
      propagationPolicy: 'Foreground',
      dryRun: ['All'],
    }));
  test('of the body alone when there is one', () =>
    expect(deleteOptions(new Query(QUERY), { gracePeriodSeconds: 5 })).toEqual({ gracePeriodSeconds: 5 }));
  test('of nothing', () => expect(deleteOptions(new Query(''), undefined)).toEqual({}));

  const DELETE = 'DeleteOptions.meta.k8s.io "" is invalid: ';
  test.each<[string, number, string]>([
    [
      'orphanDependents=true&propagationPolicy=Orphan',
      422,
      `${DELETE}propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set`,
    ],
    [
      'propagationPolicy=Sideways',
      422,
      `${DELETE}propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"`,
    ],
    ['dryRun=none', 422, `${DELETE}dryRun: Unsupported value: ["none"]: supported values: "All"`],
    ['gracePeriodSeconds=soon', 400, 'strconv.ParseInt: parsing "soon": invalid syntax'],
  ])('%j is refused', (query, code, message) =>
    expect(() => deleteOptions(new Query(query), undefined)).toThrow(
      expect.objectContaining({ code, message }) as never,
    ),
  );
});

describe('listOptions', () => {
  test('of nothing', () =>
    expect(listOptions(new Query(''), false)).toEqual({
      resourceVersion: '',
      resourceVersionMatch: '',
      continueToken: '',
      limit: 0,
      sendInitialEvents: undefined,
      allowWatchBookmarks: false,
      timeoutSeconds: undefined,
    }));
  test('of a list', () =>
    expect(listOptions(new Query('limit=-5&resourceVersion=7&resourceVersionMatch=Exact'), false)).toMatchObject({
      limit: 0,
      resourceVersion: '7',
      resourceVersionMatch: 'Exact',
    }));
  test('of a watch', () =>
    expect(
      listOptions(
        new Query('sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1&timeoutSeconds=9'),
        true,
      ),
    ).toMatchObject({ sendInitialEvents: true, allowWatchBookmarks: true, timeoutSeconds: 9 }));

  const LIST = 'ListOptions.meta.k8s.io "" is invalid: ';
  test.each<['list' | 'watch', string, string]>([
    [
      'list',
      'resourceVersionMatch=Exact',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      'list',
      'resourceVersion=1&continue=x&resourceVersionMatch=Exact',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
    [
      'list',
      'resourceVersion=1&resourceVersionMatch=Any',
      'resourceVersionMatch: Unsupported value: "Any": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      'list',
      'resourceVersion=0&resourceVersionMatch=Exact',
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    ['list', 'sendInitialEvents=false', 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
    [
      'watch',
      'sendInitialEvents=true',
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'watch',
      'continue=x',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
    [
      'watch',
      'resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
  ])('%s %s is refused', (verb, query, message) =>
    expect(() => listOptions(new Query(query), verb === 'watch')).toThrow(
      expect.objectContaining({ code: 422, message: LIST + message }) as never,
    ),
  );
});

describe('parseRevision', () => {
  test.each([
    ['', undefined],
    ['0', 0],
    ['17', 17],
  ])('%j is %s', (text, expected) => expect(parseRevision(text)).toBe(expected));

  test.each([
    [
      'x',
      'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      '-1',
      'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [
      '99999999999999999999',
      'invalid resource version: resourceVersion: Invalid value: "99999999999999999999": strconv.ParseUint: parsing "99999999999999999999": value out of range',
    ],
  ])('%j is refused', (text, message) => expect(() => parseRevision(text)).toThrow(message));
});
