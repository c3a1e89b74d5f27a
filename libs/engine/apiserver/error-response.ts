import type { ApiRequest, BodyResponse } from '../machinery/requests/http.js';
import type { ApiError } from '../machinery/meta/status.js';
import { errorFormat } from './request/negotiate.js';
import { isPrettyUnparsed, statusResponse } from './response/writers.js';

/** An error as a Status, in the format that the request accepts. */
export const errorResponse = (error: ApiError, request: ApiRequest): BodyResponse =>
  statusResponse(error, errorFormat(request.headers['accept']), isPrettyUnparsed(request));
