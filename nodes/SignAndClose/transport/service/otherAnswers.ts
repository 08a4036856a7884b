import { sameId } from '../../values/ids';
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
export function refuseOther(name: EndpointName, path: PathValues = {}, answer: unknown): void {
	const { method, path: template, answersPart = false }: Endpoint = ENDPOINTS[name];
	const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, id]) => id as IdName);
	const shown = asObject(answer);
	for (const id of names) {
		const asked = path[id]?.trim() ?? '';
		const isOwn = id === names.at(-1) && !answersPart;
		const answered = [isOwn && shown.id, shown[id.replace(/Id$/, '_id')]]
			.map(asText)
			.find((other) => other !== undefined && !sameId(other, asked));
		if (answered === undefined) continue;
		const reads = isRead(method);
		const reason: FailureReason = {
			code: 'otherAnswered',
			name: id,
			asked,
			answered,
			isRead: reads,
		};
		throw reads ? new ServiceFailure(reason) : withUnknownOutcome(new ServiceFailure(reason));
	}
}
