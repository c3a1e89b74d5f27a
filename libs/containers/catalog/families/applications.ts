import type { Image } from '@terrarium/engine';
import { directory, file } from '../../layers/index.js';
import { utc } from '../../programs/server.js';
import { programImage, summaryImage } from './family.js';

const bookinfo = (name: string): string[] => [`istio/examples-bookinfo-${name}`];
const GOOGLE = ['gcr.io/google-samples', 'us-docker.pkg.dev/google-samples/containers/gke'];
const BOUTIQUE = [
  'us-central1-docker.pkg.dev/online-boutique-ci/microservices-demo',
  'us-central1-docker.pkg.dev/google-samples/microservices-demo',
  'gcr.io/google-samples/microservices-demo',
];

/** Services of the Online Boutique that speak gRPC: they are known by their ports and logs. */
const SERVICES: Readonly<Record<string, readonly [port: number, log: string]>> = {
  adservice: [9_555, '{"severity":"INFO","message":"Ad Service started, listening on 9555"}'],
  cartservice: [7_070, 'info: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://[::]:7070'],
  checkoutservice: [5_050, '{"message":"starting to listen on tcp: \\"[::]:5050\\"","severity":"info"}'],
  currencyservice: [7_000, '{"severity":"info","message":"CurrencyService gRPC server started on port 7000"}'],
  emailservice: [8_080, '{"severity": "INFO", "name": "emailservice-server", "message": "listening on port: 8080"}'],
  paymentservice: [50_051, '{"severity":"info","message":"PaymentService gRPC server started on port 50051"}'],
  productcatalogservice: [3_550, '{"message":"starting grpc server at :3550","severity":"info"}'],
  recommendationservice: [
    8_080,
    '{"severity": "INFO", "name": "recommendationservice-server", "message": "listening on port: 8080"}',
  ],
  shippingservice: [50_051, '{"message":"Shipping Service listening on port :50051","severity":"info"}'],
};

/** Applications of several services. */
export const applications: readonly Image[] = [
  ...Object.entries(SERVICES).map(([name, [port, log]]) =>
    summaryImage(
      {
        names: BOUTIQUE.map((owner) => `${owner}/${name}`),
        base: name === 'cartservice' ? 'alpine' : 'distroless',
        config: { exposedPorts: [port], entrypoint: [`/src/${name}`] },
      },
      { ports: [port], readyAfterMs: 1_200, log: () => log.split('\n') },
    ),
  ),
  programImage({
    names: BOUTIQUE.map((owner) => `${owner}/frontend`),
    base: 'distroless',
    programs: { '/src/server': 'apps:boutique' },
    config: { exposedPorts: [8080], entrypoint: ['/src/server'], workingDir: '/src' },
    more: { '/src': directory() },
  }),
  summaryImage(
    {
      names: BOUTIQUE.map((owner) => `${owner}/loadgenerator`),
      base: 'debian',
      config: { entrypoint: ['locust', '--host=http://frontend:80', '--headless', '-u', '10'] },
    },
    {
      readyAfterMs: 2_000,
      log: ({ at }) => [
        `[${utc(at).rfc},000] loadgenerator/INFO/locust.main: Starting Locust 2.37.6`,
        `[${utc(at).rfc},004] loadgenerator/INFO/locust.runners: Ramping to 10 users at a rate of 1.00 per second`,
      ],
    },
  ),
  programImage({
    names: bookinfo('details-v1'),
    base: 'debian',
    layersMB: [29.1, 78.3],
    programs: { '/opt/microservices/details.rb': 'apps:details' },
    config: { exposedPorts: [9080], cmd: ['/opt/microservices/details.rb', '9080'] },
  }),
  programImage({
    names: bookinfo('ratings-v1'),
    base: 'debian-curl',
    layersMB: [29.1, 78.3],
    programs: { '/usr/local/bin/node': 'apps:ratings' },
    config: { exposedPorts: [9080], cmd: ['node', '/opt/microservices/ratings.js', '9080'] },
  }),
  ...([1, 2, 3] as const).map((version) =>
    programImage({
      names: bookinfo(`reviews-v${version}`),
      ...{ base: 'debian' as const, layersMB: [29.5, 212.8] },
      programs: { '/opt/ol/wlp/bin/server': `apps:reviews-v${version}` },
      config: { exposedPorts: [9080], cmd: ['/opt/ol/wlp/bin/server', 'run', 'defaultServer'] },
    }),
  ),
  programImage({
    names: bookinfo('productpage-v1'),
    base: 'debian',
    layersMB: [29.1, 78.3],
    programs: { '/usr/local/bin/python': 'apps:productpage' },
    config: { exposedPorts: [9080], cmd: ['python', 'productpage.py', '9080'] },
  }),
  programImage({
    names: [...GOOGLE.map((owner) => `${owner}/gb-frontend`), 'gcr.io/google_samples/gb-frontend'],
    base: 'debian-curl',
    layersMB: [51.4, 41.2, 12.9],
    programs: { '/usr/local/bin/apache2-foreground': 'apps:guestbook' },
    more: { '/var/www/html': directory(), '/var/www/html/guestbook.php': file('<?php\n') },
    config: { exposedPorts: [80], cmd: ['apache2-foreground'], workingDir: '/var/www/html' },
  }),
  programImage({
    names: [
      'registry.k8s.io/guestbook',
      'k8s.gcr.io/guestbook',
      'gcr.io/google_containers/guestbook',
      'ibmcom/guestbook',
    ],
    programs: { '/app/main': 'apps:guestbook-go' },
    more: { '/app': directory() },
    config: { exposedPorts: [3000], cmd: ['./main'], workingDir: '/app' },
  }),
  programImage({
    names: ['dockersamples/examplevotingapp_vote', 'kodekloud/examplevotingapp_vote'],
    base: 'debian',
    layersMB: [29.1, 42.8],
    programs: { '/usr/local/bin/gunicorn': 'apps:vote' },
    config: { exposedPorts: [80], cmd: ['gunicorn', 'app:app', '-b', '0.0.0.0:80'] },
  }),
  programImage({
    names: ['dockersamples/examplevotingapp_result', 'kodekloud/examplevotingapp_result'],
    base: 'debian',
    layersMB: [29.1, 62.8],
    programs: { '/usr/local/bin/node': 'apps:result' },
    config: { exposedPorts: [80], cmd: ['node', 'server.js'] },
  }),
  summaryImage(
    {
      names: ['dockersamples/examplevotingapp_worker', 'kodekloud/examplevotingapp_worker'],
      base: 'debian',
      config: { entrypoint: ['dotnet', 'Worker.dll'] },
    },
    { readyAfterMs: 1_500, log: () => ['Connected to db', 'Found redis at redis', 'Connecting to redis'] },
  ),
  programImage({
    names: ['hashicorp/vault', 'vault'],
    base: 'alpine',
    layersMB: [3.6, 178.4],
    programs: { '/usr/local/bin/docker-entrypoint.sh': 'apps:vault', '/bin/vault': 'apps:vault' },
    config: { exposedPorts: [8200], entrypoint: ['docker-entrypoint.sh'], cmd: ['server', '-dev'] },
  }),
  programImage({
    names: ['registry', 'distribution/distribution'],
    base: 'alpine',
    layersMB: [3.4, 6.1],
    programs: { '/bin/registry': 'apps:registry' },
    more: {
      '/var/lib/registry': directory(),
      '/etc/docker/registry/config.yml': file(
        'version: 0.1\nlog:\n  fields:\n    service: registry\nstorage:\n  filesystem:\n    rootdirectory: /var/lib/registry\nhttp:\n  addr: :5000\n',
      ),
    },
    config: { exposedPorts: [5000], cmd: ['/bin/registry', 'serve', '/etc/docker/registry/config.yml'] },
  }),
];

/** Programs that use CPU and memory, and that send requests. */
export const loads: readonly Image[] = [
  programImage({
    names: ['polinux/stress'],
    base: 'alpine',
    programs: { '/usr/local/bin/stress': 'apps:stress' },
    config: { cmd: ['stress', '--help'] },
  }),
  programImage({
    names: ['progrium/stress'],
    base: 'debian',
    programs: { '/usr/bin/stress': 'apps:stress' },
    config: { entrypoint: ['/usr/bin/stress', '--verbose'] },
  }),
  programImage({
    names: ['vish/stress'],
    programs: { '/stress': 'apps:go-stress' },
    config: { entrypoint: ['/stress', '-logtostderr'] },
  }),
  programImage({
    names: ['registry.k8s.io/e2e-test-images/resource-consumer', 'gcr.io/kubernetes-e2e-test-images/resource-consumer'],
    base: 'alpine',
    programs: { '/consumer': 'agnhost:resource-consumer', '/usr/bin/stress': 'apps:stress' },
    config: { exposedPorts: [8080], entrypoint: ['/consumer'] },
  }),
  programImage({
    names: ['williamyeh/hey', 'rakyll/hey', 'ricoli/hey', 'demisto/rakyll-hey'],
    base: 'alpine',
    programs: { '/usr/local/bin/hey': 'apps:hey', '/hey': 'apps:hey' },
    config: { entrypoint: ['hey'] },
  }),
  programImage({
    names: ['williamyeh/wrk', 'skandyla/wrk'],
    base: 'alpine',
    programs: { '/usr/local/bin/wrk': 'apps:wrk', '/usr/bin/wrk': 'apps:wrk' },
    config: { entrypoint: ['wrk'] },
  }),
  programImage({
    names: ['fortio/fortio'],
    programs: { '/usr/bin/fortio': 'apps:fortio' },
    config: { exposedPorts: [8080, 8078, 8079, 8081], entrypoint: ['/usr/bin/fortio'], cmd: ['server'] },
  }),
];
