import type { IDataObject } from 'n8n-workflow';

import { explain } from '../../messages/explanations';
import { defineOperation } from '../../run/operation';
import { fetchList } from '../../transport/answers/lists';
import type { ServiceClient } from '../../transport/client';
import { asError, asFailure, ServiceFailure } from '../../transport/failure/failure';
import { toPlainText } from '../../values/plainText';
import { buildUnexpectedAnswer } from '../../transport/failure/refusal';
import { WRONG_PLATFORM } from '../../transport/service/platforms';
import { isOfKey, getStatusMeaning } from '../../transport/http/statuses';
import { asText } from '../../values/json';
import { defineChoice } from '../../form/fields';
import { retrieveOrganization } from './api';

/** `notOpen`: the key may not do this. `unknown`: nothing tells, e.g. because the service is busy. */
type State = 'open' | 'notOpen' | 'unknown';

/** What is checked, and what is said of it. */
const VERDICTS = {
	organization: {
		open: 'The API key belongs to',
		notOpen: "The service doesn't tell this API key which organization it belongs to",
		unknown: "It's unknown which organization the API key belongs to",
	},
	business: describeAccess('Business transactions'),
	realEstate: describeAccess('Closings'),
};

/** Of a key for real estate alone, whose organization the service tells on the other platform. */
const NOTHING_TO_SET =
	"There's nothing to set: the service tells the organization to business accounts only";

function describeAccess(subject: string) {
	return {
		open: `${subject} are open to this API key`,
		notOpen: `${subject} aren't open to this API key`,
		unknown: `It's unknown whether ${subject.toLowerCase()} are open to this API key`,
	};
}

/**
 * Shows what the API key reaches: its organization and the platforms, as one item each
 * (docs/service/api.md#what-a-key-reaches). What is refused is what was to be known, so the
 * operation only fails when nothing can be sent. All of its requests are reads.
 */
export const checkAccount = defineOperation({
	resource: 'account',
	value: 'check',
	name: 'Check',
	action: 'Check account',
	description: 'Show which organization and platforms your API key reaches. Changes nothing.',
	kind: 'read',
	properties: [
		defineChoice(
			'Platforms',
			'checkedPlatforms',
			[
				['Both', 'both'],
				['Business', 'business'],
				['Real Estate', 'realEstate'],
			],
			'The platforms to check',
		),
	],
	async execute({ context, service, params }) {
		const selection = params.getChoice('checkedPlatforms') ?? 'both';
		const platforms = (['business', 'realEstate'] as const).filter(
			(platform) => selection === 'both' || selection === platform,
		);
		const checks = ['organization', ...platforms] as const;
		const lines = await Promise.all(
			checks.map(async (check) => ({ json: await runCheck(service, check) })),
		);
		context.getExecutionCancelSignal()?.throwIfAborted();
		return lines;
	},
});

/**
 * One line. All of them have the same first fields, so that they are columns, and their texts are plain.
 * @throws ServiceFailure `notSent` when nothing can be sent, because of the credential or n8n's settings
 */
async function runCheck(
	service: ServiceClient,
	check: keyof typeof VERDICTS,
): Promise<IDataObject> {
	const buildLine = (state: State, detail = '', remedy: string | null = null) => ({
		check,
		state,
		verdict: toPlainText(VERDICTS[check][state] + detail),
		remedy,
	});
	try {
		if (check === 'organization') {
			const { id, name = null } = await retrieveOrganization(service);
			const displayName =
				asText(name) === undefined ? String(id) : `${asText(name)} (${String(id)})`;
			return {
				...buildLine('open', ` ${displayName}`),
				organization_id: id,
				organization_name: name,
			};
		}
		const query = { limit: 1, offset: 0 };
		await fetchList(service, 'listTransactions', { platform: check, query });
		return buildLine('open');
	} catch (thrown) {
		const failure = asFailure(thrown, buildUnexpectedAnswer());
		if (failure instanceof ServiceFailure && failure.reason.code === 'notSent')
			throw asError(failure);
		const { httpStatus } = failure.flags;
		// Some keys are refused by a rule of the service (docs/service/errors.md#statuses).
		const isRefused = isOfKey(httpStatus) || getStatusMeaning(httpStatus) === 'againstRule';
		const { message, remedy } = explain(failure);
		const isForClosings =
			check === 'organization' && WRONG_PLATFORM.realEstate.test(`${message} ${remedy}`);
		return buildLine(
			isRefused ? 'notOpen' : 'unknown',
			`: ${message}`,
			isForClosings ? NOTHING_TO_SET : toPlainText(remedy),
		);
	}
}
