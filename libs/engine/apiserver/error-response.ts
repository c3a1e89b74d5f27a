import type { ApiRequest, BodyResponse } from '../machinery/requests/http.js';
import { TextError, type ApiError } from '../machinery/meta/status.js';
import { errorFormat } from './request/negotiate.js';
import { isPrettyUnparsed, statusResponse, textResponse } from './response/writers.js';

/** An error as a Status, in the format that the request accepts. */
export const errorResponse = (error: ApiError, request: ApiRequest): BodyResponse =>
  error instanceof TextError
    ? textErrorResponse(error)
    : statusResponse(error, errorFormat(request.headers['accept']), isPrettyUnparsed(request));

function textErrorResponse({ code, message, details }: TextError): BodyResponse {
  const response = textResponse(code, `${message}\n`);
  const seconds = details?.retryAfterSeconds;
  return seconds === undefined
    ? response
    : { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } };
}
