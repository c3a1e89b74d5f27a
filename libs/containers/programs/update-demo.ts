import type { Image, ImageFiles, PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { alpine } from '../catalog/bases.js';
import { file } from '../layers/index.js';
import { serverImage } from './server.js';

const TAGS = /^(latest|1\.\d)$/;
const page = (animal: string): string => `{"image": "${animal}.jpg"}\n`;

const animalOf = ({ container }: Start): string => (container.image ?? '').split('/').at(-1)!.split(':')[0]!;

function serve({ path }: PodHttpRequest, start: Start): PodHttpAnswer {
  const animal = animalOf(start);
  if (path === '/data.json')
    return { status: 200, headers: { 'content-type': 'application/json' }, body: page(animal) };
  return path === '/'
    ? { status: 200, headers: { 'content-type': 'text/html' }, body: `<html><img src="${animal}.jpg"></html>\n` }
    : { status: 404, body: '404 page not found\n' };
}

const filesOf = (animal: string): ImageFiles => ({ ...alpine('3.6'), '/data.json': file(page(animal)) });

/** An image of upstream's update demo: a server that shows what it is. Models test/images/{kitten,nautilus}. */
export const updateDemoImage = (animal: string): Image =>
  serverImage(
    {
      names: [`registry.k8s.io/e2e-test-images/${animal}`, `gcr.io/kubernetes-e2e-test-images/${animal}`],
      tags: TAGS,
      layersMB: [0.5, 22.1],
      files: filesOf(animal),
      commands: 'any',
      config: { exposedPorts: [80], entrypoint: ['/test-webserver'] },
    },
    { ports: [80], readyAfterMs: 30, serve },
  );
