import { expect, test } from '@jest/globals';
import { parseReference } from './reference.js';

const DIGEST = `sha256:${'a'.repeat(64)}`;

// The cases of github.com/distribution/reference normalize_test.go.
test.each([
  ['nginx', 'docker.io', 'docker.io/library/nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.27', 'docker.io', 'docker.io/library/nginx', 'docker.io/library/nginx:1.27'],
  ['docker.io/nginx', 'docker.io', 'docker.io/library/nginx', 'docker.io/library/nginx:latest'],
  ['index.docker.io/nginx', 'docker.io', 'docker.io/library/nginx', 'docker.io/library/nginx:latest'],
  ['grafana/grafana:11', 'docker.io', 'docker.io/grafana/grafana', 'docker.io/grafana/grafana:11'],
  ['registry.k8s.io/etcd:3.6.8-0', 'registry.k8s.io', 'registry.k8s.io/etcd', 'registry.k8s.io/etcd:3.6.8-0'],
  ['localhost/app', 'localhost', 'localhost/app', 'localhost/app:latest'],
  ['localhost:5000/app:v1', 'localhost:5000', 'localhost:5000/app', 'localhost:5000/app:v1'],
  ['127.0.0.1:5000/a/b', '127.0.0.1:5000', '127.0.0.1:5000/a/b', '127.0.0.1:5000/a/b:latest'],
  [`nginx@${DIGEST}`, 'docker.io', 'docker.io/library/nginx', `docker.io/library/nginx@${DIGEST}`],
  [`nginx:1.27@${DIGEST}`, 'docker.io', 'docker.io/library/nginx', `docker.io/library/nginx@${DIGEST}`],
])('%s', (text, host, repository, full) => {
  expect(parseReference(text)).toMatchObject({ host, repository, full });
});

test.each(['', 'Nginx', 'nginx:', 'nginx:a b', 'nginx::1', '-nginx', 'a//b', 'nginx@sha256:abc', 'repo/Upper', ':1'])(
  '%j is no reference',
  (text) => {
    expect(parseReference(text)).toBeUndefined();
  },
);

test.each([
  [255, true],
  [256, false],
])('a path of %d characters is a reference: %s', (length, expected) =>
  expect(parseReference(`quay.io/${'a'.repeat(length)}`) !== undefined).toBe(expected),
);
