import { expect, test } from '@jest/globals';
import { allImages as images } from './catalog/all.js';
import { isPublished } from './publishers.js';

test.each([
  ['docker.io/library/nginx', true],
  ['docker.io/library/ngnix', false],
  ['docker.io/acme/app', true],
  ['registry.k8s.io/pause', true],
  ['registry.k8s.io/puase', false],
  ['registry.k8s.io/sig-storage/csi-provisioner', true],
  ['registry.k8s.io/sig-storage/csi-provisoner', false],
  ['registry.k8s.io/e2e-test-images/agnhost', true],
  ['registry.k8s.io/e2e-test-images/volume/nfs', true],
  ['k8s.gcr.io/ingress-nginx/controller', true],
  ['gcr.io/k8s-staging-kueue/kueue', true],
  ['gcr.io/google-samples/hello-app', true],
  ['gcr.io/google-samples/helo-app', false],
  ['gcr.io/acme/app', false],
  ['quay.io/prometheus/prometheus', true],
  ['quay.io/prometheus', false],
  ['quay.io/acme/app', false],
  ['ghcr.io/open-telemetry/opentelemetry-operator/opentelemetry-operator', true],
  ['public.ecr.aws/docker/library/redis', true],
  ['public.ecr.aws/docker/library/rediss', false],
  ['mcr.microsoft.com/dotnet/samples', true],
  ['registry.example.com/team/app', true],
  ['us-central1-docker.pkg.dev/acme/repository/app', true],
  ['localhost:5000/app', true],
])('%s is published: %s', (repository, expected) => expect(isPublished(repository)).toBe(expected));

test('what the catalogue has is published, wherever its registry is known', () => {
  const missing = images.flatMap((image) => image.repositories).filter((repository) => !isPublished(repository));
  expect(missing).toEqual([]);
});
