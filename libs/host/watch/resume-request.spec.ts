import { expect, test } from '@jest/globals';
import { apiRequest } from '../testing.js';
import { resumeRequest } from './resume-request.js';

test.each([
  ['watch=true', 'watch=true&resourceVersion=7'],
  ['watch=1&resourceVersion=3&labelSelector=app%3Dweb', 'watch=1&resourceVersion=7&labelSelector=app%3Dweb'],
  [
    'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    'watch=true&allowWatchBookmarks=true&resourceVersion=7',
  ],
])('%s goes on as %s', (query, resumed) => {
  const request = apiRequest('GET', '/api/v1/pods', query);
  expect(resumeRequest(request, 7)).toEqual({ ...request, query: resumed });
});
