import type { IDataObject } from 'n8n-workflow';

import { asBoolean } from '../../values/shown';
import { asObjects, asText } from '../../values/json';
import { firstText } from '../shared/values';

/* How the checks of a signer's identity ended, for outputs and for filters. */

/** The states of a check that didn't succeed, the most urgent first. */
const UNFINISHED = ['failure', 'action_required', 'pending', 'unknown', 'skipped'];

/**
 * Returns how the checks of a signer's identity ended
 * (docs/service/signers.md#e-signature-authentication-records). A check can be repeated, so one that
 * succeeded counts. Otherwise the most urgent state does: nobody says in which order records come.
 * @returns the status is null where the answer has no record; the reasons are what the service says of
 *   checks that weren't passed in the end
 */
export function identityOf(signer: IDataObject): { status: string | null; reasons: string[] } {
	const records = asObjects(signer.esign_authentication_records).filter(
		({ status }) => status !== 'deleted',
	);
	const isPassed = ({ status, verified }: IDataObject) =>
		status === 'success' || asBoolean(verified) === true;
	if (records.some(isPassed)) return { status: 'success', reasons: [] };
	const states = records.flatMap(({ status }) => asText(status) ?? []);
	const status = UNFINISHED.find((state) => states.includes(state)) ?? states[0] ?? null;
	return { status, reasons: [...new Set(records.flatMap(reasonsOf))] };
}

/** What failed, in the service's words: `kba_mismatch: Two answers are wrong`. */
function reasonsOf(record: IDataObject): string[] {
	return asObjects(record.failure_reasons).map(({ category, check, reasons }) => {
		const what = firstText(category, check) ?? 'unknown';
		const why = Array.isArray(reasons) ? reasons.filter((reason) => asText(reason)) : [];
		return why.length === 0 ? what : `${what}: ${why.join('; ')}`;
	});
}
