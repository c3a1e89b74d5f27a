import { describe, expect, test } from '@jest/globals';
import { podErrors, web } from '../testing.js';

const at = 'spec.securityContext.windowsOptions';
const withOptions = (windowsOptions: object): string[] =>
  podErrors({ containers: [web], securityContext: { windowsOptions } });

describe('a user', () => {
  test.each<[string, string | undefined]>([
    ['ContainerUser', undefined],
    ['corp.example.com\\ann', undefined],
    ['', ' cannot be an empty string'],
    ['a\\b\\c', ' cannot contain more than one backslash'],
    ['a\tb', ' cannot contain control characters'],
    ['corp\\', "'s User cannot be empty"],
    ['...', "'s User cannot contain only periods or spaces"],
    ['a|b', `'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`],
    ['u'.repeat(105), "'s User length must not be longer than 104 characters"],
    ['a long domain?\\ann', "'s Domain doesn't match the NetBios nor the DNS format"],
    [`${'d'.repeat(63)}.`.repeat(4) + '\\ann', "'s Domain length must be under 256 characters"],
  ])('%j', (runAsUserName, why) => {
    const errors = withOptions({ runAsUserName });
    if (why === undefined) expect(errors).toEqual([]);
    else
      expect(errors[0]).toBe(
        `${at}.runAsUserName: Invalid value: ${JSON.stringify(runAsUserName)}: runAsUserName${why}`,
      );
  });
});

test.each<[object, string[]]>([
  [{ gmsaCredentialSpecName: 'web', gmsaCredentialSpec: '{}' }, []],
  [
    { gmsaCredentialSpec: '' },
    [`${at}.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string`],
  ],
])('credentials %j', (options, errors) => expect(withOptions(options)).toEqual(errors));

test('credentials that are too large', () =>
  expect(withOptions({ gmsaCredentialSpec: 'x'.repeat(64 * 1024 + 1) })[0]).toMatch(
    /: gmsaCredentialSpec size must be under 64 KiB$/,
  ));

describe('host processes', () => {
  const host = { securityContext: { windowsOptions: { hostProcess: true } } };
  test.each<[string, object, string[]]>([
    ["on the host's network", { containers: [{ ...web, ...host }], hostNetwork: true }, []],
    [
      'on their own network',
      { containers: [{ ...web, ...host }] },
      ['spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers'],
    ],
    [
      'beside others',
      {
        containers: [
          { ...web, ...host },
          { ...web, name: 'b' },
        ],
        hostNetwork: true,
      },
      [
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ],
    ],
    [
      'of another mind than the pod',
      {
        containers: [{ ...web, ...host }],
        securityContext: { windowsOptions: { hostProcess: false } },
        hostNetwork: true,
      },
      [
        'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: true: pod hostProcess value must be identical if both are specified, was false',
      ],
    ],
  ])('%s', (_, spec, errors) => expect(podErrors({ ...spec })).toEqual(errors));
});
