import { isSameId } from '../../values/ids';
import { asObject, asText } from '../../values/json';
import {
	ServiceFailure,
	withUnknownOutcome,
	type FailureReason,
	type IdName,
} from '../failure/failure';
import { isRead } from '../http/retry';
import { ENDPOINTS, type Endpoint, type EndpointName } from './endpoints';
import type { PathValues } from './paths';

/*
 * Refuses answers about something else than was asked for: a cache or a proxy can mix answers up,
 * and nobody may write into what it didn't ask for.
 */

/**
 * Compares the IDs of an answer with those of the path: its own, and those that stand beside it, such
 * as `transaction_id`. An answer that shows none says nothing, and neither does a list.
 * @throws ServiceFailure `otherAnswered`, with `flags.unknownOutcome` after a write
 */
export function refuseOtherAnswer(
	name: EndpointName,
	path: PathValues = {},
	answer: unknown,
): void {
	const { method, path: template, answersPart = false }: Endpoint = ENDPOINTS[name];
	const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, id]) => id as IdName);
	const fields = asObject(answer);
	for (const id of names) {
		const expected = path[id]?.trim() ?? '';
		const isOwn = id === names.at(-1) && !answersPart;
		const actual = [isOwn && fields.id, fields[id.replace(/Id$/, '_id')]]
			.map(asText)
			.find((candidate) => candidate !== undefined && !isSameId(candidate, expected));
		if (actual === undefined) continue;
		const reads = isRead(method);
		const reason: FailureReason = {
			code: 'otherAnswered',
			name: id,
			expectedId: expected,
			actualId: actual,
			isRead: reads,
		};
		throw reads ? new ServiceFailure(reason) : withUnknownOutcome(new ServiceFailure(reason));
	}
}
