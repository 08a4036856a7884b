import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { explain } from '../../core/explanations';
import type { Params } from '../../core/params';
import type { Explanation } from '../../core/refusalExplanations';
import { remedyFor } from '../../core/refusalRemedies';
import {
	statusOf,
	type Findings,
	type Found,
	type ProbeName,
} from '../../service/resources/account/probes';
import { plainText } from '../../service/errors/plainText';
import type { KeyState, LayoutName, LayoutState } from '../../service/resources/account/verdicts';
import { asText } from '../../service/values/json';
import { joined } from '../shared/outputHints';

/* The form of Account: Check, and what a person reads of the account. */

/** Which platforms to check. */
export const checkedPlatforms: INodeProperties = {
	displayName: 'Platforms',
	name: 'checkedPlatforms',
	type: 'options',
	options: [
		{ name: 'Both', value: 'both' },
		{ name: 'Business', value: 'business' },
		{ name: 'Real Estate', value: 'realEstate' },
	],
	default: 'both',
	description: 'The platforms to check, with the features they have',
};

/** The features in the order in which they are shown, and the platform that alone has them. */
const FEATURES: Array<{ name: ProbeName; feature: string; only?: 'business' | 'realEstate' }> = [
	{ name: 'business', feature: 'Business transactions', only: 'business' },
	{ name: 'realEstate', feature: 'Closings', only: 'realEstate' },
	{
		name: 'addresses',
		feature: 'Address checks',
		only: 'realEstate',
	},
	{ name: 'notarizationRecords', feature: 'Notarization records', only: 'business' },
	{ name: 'notaries', feature: 'Notaries' },
	{ name: 'templates', feature: 'Templates', only: 'business' },
	{ name: 'webhooks', feature: 'Webhooks' },
];

/**
 * Reads what to ask the service.
 * @throws InputFailure when the platforms aren't one of the choices
 */
export function readProbes(params: Params): ProbeName[] {
	const platforms = params.choice('checkedPlatforms') ?? 'both';
	const chosen = FEATURES.filter(
		({ only }) => platforms === 'both' || (only ?? platforms) === platforms,
	);
	return ['organization', ...chosen.map(({ name }) => name)];
}

/** What was found, as one line each: key, organization, path layout, then the features. */
export function linesOf(findings: Findings, key: KeyState, layout: LayoutState): IDataObject[] {
	const features = FEATURES.flatMap(({ name, feature }) => {
		const found = findings[name];
		return found === undefined ? [] : [featureLine(name, feature, found, { key, layout })];
	});
	return [
		keyLine(key),
		organizationLine(findings.organization!, { key, layout }),
		layoutLine(layout),
		...features,
	];
}

/**
 * Says in one sentence what isn't open or isn't known.
 * @returns undefined when all is open
 */
export function summaryOf(lines: IDataObject[]): string | undefined {
	const named = (state: string) =>
		lines.filter((line) => line.state === state).map(({ feature }) => String(feature));
	const [closed, unknown] = [named('notOpen'), named('unknown')];
	return joined([
		closed.length > 0 ? `Not open: ${closed.join(', ')}` : undefined,
		unknown.length > 0 ? `Not known: ${unknown.join(', ')}` : undefined,
	]);
}

/** What the other checks have shown. */
interface Known {
	key: KeyState;
	layout: LayoutState;
}

interface Line {
	check: string;
	feature: string;
	state: Found['state'];
	verdict: string;
	reason?: string;
	remedy?: string;
	status?: number;
}

/**
 * Makes a line. Each has the same fields, so that they are columns, and its sentences are plain text
 * on one line, whatever the service said.
 */
function line(
	{ verdict, reason, remedy, status, ...shown }: Line,
	more: IDataObject = {},
): IDataObject {
	return {
		...shown,
		verdict: plainText(verdict),
		...more,
		reason: reason === undefined ? null : plainText(reason),
		remedy: remedy === undefined ? null : plainText(remedy),
		status_code: status ?? null,
	};
}

function keyLine(key: KeyState): IDataObject {
	const shown = { check: 'apiKey', feature: 'API key', state: key.state };
	if (key.state === 'open') return line({ ...shown, verdict: 'The service accepts the API key' });
	const reason = key.failure && explain(key.failure);
	if (key.state === 'notOpen')
		return line({
			...shown,
			verdict: "The service doesn't accept the API key",
			reason: reason?.message,
			remedy: "Check 'API Key' and 'Base URL' in the credential: each environment has its own keys",
			status: 401,
		});
	if (key.readsNothing)
		return line({
			...shown,
			verdict: "The service lets this API key read nothing, so it isn't known whether it's valid",
			reason: reason?.message,
			remedy: "Use a full-access key in 'API Key': some keys may only create",
		});
	return line({
		...shown,
		verdict: `It isn't known whether the service accepts the API key${reason ? `: ${reason.message}` : ''}`,
		reason: reason?.message,
		remedy: reason?.remedy,
	});
}

function organizationLine(found: Found, known: Known): IDataObject {
	if (found.state !== 'open')
		return featureLine('organization', 'Organization', found, known, {
			notOpen: "The service doesn't tell this API key which organization it belongs to",
			unknown: "It isn't known which organization the API key belongs to",
		});
	const { id, name, email } = found.shown;
	const named = asText(name) === undefined ? String(id) : `${asText(name)} (${String(id)})`;
	return line(
		{
			check: 'organization',
			feature: 'Organization',
			state: 'open',
			verdict: `The API key belongs to ${named}`,
		},
		{
			organization_id: id,
			organization_name: name ?? null,
			organization_email: email ?? null,
		},
	);
}

/** The layouts as the credential's form names them. */
const LAYOUT_NAMES: Record<LayoutName, string> = {
	documented: 'Documented',
	current: 'Current',
	custom: 'Custom',
};

function layoutLine(state: LayoutState): IDataObject {
	const layout = LAYOUT_NAMES[state.layout];
	const shown = { check: 'pathLayout', feature: 'Path layout', state: state.state };
	if (state.state === 'open')
		return line({ ...shown, verdict: `'Path Layout' ${layout} is right for this service` });
	if (state.state === 'unknown')
		return line({
			...shown,
			verdict: `It isn't known whether 'Path Layout' ${layout} is right for this service`,
			remedy: "Ask the service for the paths of its API, and compare 'Base URL' and 'Path Layout'",
		});
	const other = LAYOUT_NAMES[state.other];
	return line({
		...shown,
		verdict: `'Path Layout' ${layout} finds nothing, but ${other} does`,
		remedy: `Turn on 'Technical Settings' in the credential and set 'Path Layout' to ${other}`,
	});
}

function featureLine(
	check: ProbeName,
	feature: string,
	found: Found,
	known: Known,
	said: Record<'notOpen' | 'unknown', string> = {
		notOpen: `${feature} aren't open to this API key`,
		unknown: `It isn't known whether ${feature.toLowerCase()} are open to this API key`,
	},
): IDataObject {
	if (found.state === 'open') {
		const { total_count: total } = found.shown;
		return line(
			{ check, feature, state: 'open', verdict: `${feature} are open to this API key` },
			total === undefined ? {} : { total_count: total },
		);
	}
	const { message: reason, remedy } = reasonOf(found, known);
	const verdict = `${said[found.state]}: ${reason}`;
	return line({
		check,
		feature,
		state: found.state,
		verdict,
		reason,
		remedy,
		status: statusOf(found),
	});
}

/**
 * Why a feature isn't open. A key that is accepted elsewhere isn't to blame for a 401, nor a layout
 * that is right for a 404.
 */
function reasonOf(found: Exclude<Found, { state: 'open' }>, { key, layout }: Known): Explanation {
	const explained = explain(found.failure);
	const status = statusOf(found);
	if (remedyFor(explained.message) !== undefined) return explained;
	if (status === 404 && layout.state === 'open')
		return {
			message: "The service doesn't know the call that shows it",
			remedy: 'If you need this, ask the service whether it offers it to your organization',
		};
	if (status === 401 && key.state === 'open')
		return {
			message: 'The service refuses this API key here, although it accepts it elsewhere',
			remedy:
				"If you need this, use an 'API Key' of an organization that has it, or ask the service to add it to yours",
		};
	return explained;
}
