import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { hasCostRule } from './cost/calls.js';
import { functions } from './functions.js';

const FOLDER = new URL('.', import.meta.url);

/** The expressions of all specs and vectors, as one text. */
const cases = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.spec.ts') || file.endsWith('.json'))
  .map((file) => readFileSync(new URL(file, FOLDER), 'utf8'))
  .join('\n');

const named = functions.names.filter((name) => /^[\w.]+$/.test(name));

test.each(named)('%s is called in a case', (name) => {
  expect(cases).toMatch(new RegExp(`(?<![\\w])${name.replaceAll('.', '\\.')}\\(`));
});

/** Functions that cost one whatever they are given. Models apiserver/pkg/cel/library/cost.go's default. */
const COST_ONE: ReadonlySet<string> = new Set(
  `size int uint double bool timestamp duration dyn type getFullYear getMonth getDate getDayOfMonth getDayOfWeek
   getDayOfYear getHours getMinutes getSeconds getMilliseconds charAt first last optional.of optional.ofNonZeroValue
   optional.none hasValue value orValue or family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast
   isGlobalUnicast masked prefixLength sign isInteger asInteger asApproximateFloat isGreaterThan isLessThan compareTo
   add sub isURL getScheme getHost getHostname getPort getEscapedPath getQuery major minor patch format.dns1123Label
   format.dns1123Subdomain format.dns1035Label format.qualifiedName format.dns1123LabelPrefix
   format.dns1123SubdomainPrefix format.dns1035LabelPrefix format.labelValue format.uri format.uuid format.byte
   format.date format.datetime format.named jsonpatch.escapeKey path check group serviceAccount resource subresource
   namespace name fieldSelector labelSelector allowed reason errored error`.split(/\s+/),
);

test('each function has a cost rule, or is known to cost one', () => {
  expect(named.filter((name) => !hasCostRule(name) && !COST_ONE.has(name))).toEqual([]);
  expect([...COST_ONE].filter((name) => hasCostRule(name))).toEqual([]);
});
