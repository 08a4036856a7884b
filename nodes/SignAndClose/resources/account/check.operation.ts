import type { IDataObject } from 'n8n-workflow';

import { explain } from '../../messages/explanations';
import type { Explanation } from '../../messages/refusalExplanations';
import { remedyFor } from '../../messages/refusalRemedies';
import { defineOperation } from '../../run/operation';
import { plainText } from '../../transport/failure/plainText';
import { asText } from '../../values/json';
import { joined } from '../shared/hints';
import { checkKey, statusOf, type Checked, type Findings, type Found } from './api';

/** What is said of each thing that is checked: how it's called, and what it means if it's closed. */
const WORDS: Record<Checked, { name: string; open: string; notOpen: string; unknown: string }> = {
	organization: {
		name: 'Organization',
		open: 'The API key belongs to',
		notOpen: "The service doesn't tell this API key which organization it belongs to",
		unknown: "It isn't known which organization the API key belongs to",
	},
	business: {
		name: 'Business',
		open: 'Business transactions are open to this API key',
		notOpen: "Business transactions aren't open to this API key",
		unknown: "It isn't known whether business transactions are open to this API key",
	},
	realEstate: {
		name: 'Real Estate',
		open: 'Closings are open to this API key',
		notOpen: "Closings aren't open to this API key",
		unknown: "It isn't known whether closings are open to this API key",
	},
};

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
		{
			displayName: 'Platforms',
			name: 'checkedPlatforms',
			type: 'options',
			options: [
				{ name: 'Both', value: 'both' },
				{ name: 'Business', value: 'business' },
				{ name: 'Real Estate', value: 'realEstate' },
			],
			default: 'both',
			description: 'The platforms to check',
		},
	],
	async execute({ context, service, params }) {
		const chosen = params.choice('checkedPlatforms') ?? 'both';
		const platforms = (['business', 'realEstate'] as const).filter(
			(name) => chosen === 'both' || chosen === name,
		);
		const findings = await checkKey(service, platforms);
		context.getExecutionCancelSignal()?.throwIfAborted();
		const lines = findings.map(([name, found]) => lineOf(name, found, findings));
		const hint = hintOf(findings);
		return lines.map((json, index) => (index === 0 ? { json, hint } : { json }));
	},
});

/** One line. Each has the same fields, so that they are columns, and its texts are plain. */
function lineOf(check: Checked, found: Found, findings: Findings): IDataObject {
	const { state } = found;
	const said = WORDS[check][state];
	if (state !== 'open') {
		const { message, remedy } = reasonOf(found, findings);
		return { check, state, verdict: plainText(`${said}: ${message}`), remedy: plainText(remedy) };
	}
	if (check !== 'organization') return { check, state, verdict: said, remedy: null };
	const { id, name } = found.shown;
	const named = asText(name) === undefined ? String(id) : `${asText(name)} (${String(id)})`;
	const verdict = plainText(`${said} ${named}`);
	return {
		check,
		state,
		verdict,
		remedy: null,
		organization_id: id,
		organization_name: name ?? null,
	};
}

/** Why something isn't open. A key that is accepted elsewhere isn't to blame for a 401. */
function reasonOf(found: Exclude<Found, { state: 'open' }>, findings: Findings): Explanation {
	const explained = explain(found.failure);
	const isAccepted = findings.some(([, { state }]) => state === 'open');
	if (statusOf(found) !== 401 || !isAccepted || remedyFor(explained.message)) return explained;
	return {
		message: 'The service refuses this API key here, although it accepts it elsewhere',
		remedy:
			"If you need this, use an 'API Key' of an organization that has it, or ask the service to add it to yours",
	};
}

/** Says in one sentence what isn't open or isn't known; undefined when all is open. */
function hintOf(findings: Findings): string | undefined {
	const named = (wanted: Found['state'], said: string) => {
		const names = findings.flatMap(([name, { state }]) =>
			state === wanted ? [WORDS[name].name] : [],
		);
		return names.length > 0 ? `${said}: ${names.join(', ')}` : undefined;
	};
	return joined([named('notOpen', 'Not open'), named('unknown', 'Not known')]);
}
