import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import { answerReview } from './webhook.js';

/** The subcommands that answer the API server. */
const reviews = (argv: readonly string[]): boolean =>
  argv.includes('webhook') || argv.includes('crd-conversion-webhook');

/** The HTTP server of agnhost's sub-commands that are no programs of the kernel. */
export const answer = (request: PodHttpRequest, start: Start): PodHttpAnswer =>
  reviews(start.argv) ? answerReview(request, start) : { status: 200 };
