import type { PodHttpAnswer, PodHttpRequest } from '@terrarium/engine';

export const text = (body: string, status = 200): PodHttpAnswer => ({
  ...{ status, body },
  headers: { 'content-type': 'text/plain; charset=utf-8' },
});

export const html = (body: string, status = 200): PodHttpAnswer => ({
  ...text(body, status),
  headers: { 'content-type': 'text/html; charset=utf-8' },
});

export const json = (value: unknown, status = 200): PodHttpAnswer => ({
  ...text(JSON.stringify(value), status),
  headers: { 'content-type': 'application/json' },
});

export const routeOf = ({ path }: PodHttpRequest): string => path.split('?', 1)[0]!;

/** Answers by their paths; '' stands for every other one. */
export const routes =
  (answers: Readonly<Record<string, PodHttpAnswer>>) =>
  (request: PodHttpRequest): PodHttpAnswer =>
    answers[routeOf(request)] ?? answers[''] ?? text('404 page not found\n', 404);

export const goMetrics = (version: string): PodHttpAnswer =>
  text(
    `# HELP go_info Information about the Go environment.\n# TYPE go_info gauge\ngo_info{version="${version}"} 1\n# HELP process_open_fds Number of open file descriptors.\n# TYPE process_open_fds gauge\nprocess_open_fds 9\n# HELP up Whether it is up.\n# TYPE up gauge\nup 1\n`,
  );

export const GO = 'go1.24.5';

export const HEALTH = routes({
  '/healthz': text('ok'),
  '/readyz': text('ok'),
  '/livez': text('ok'),
  '/metrics': goMetrics(GO),
});
