import type { ServiceClient } from '../../client';
import type { Failure } from '../../errors/failure';
import { LAYOUTS, type Prefixes } from '../../paths';
import { probeAll, statusOf, type Findings, type ProbeName } from './probes';

/* What the probes together say about the key and about the path layout. */

/** A path layout by its name in the credential; `custom` are prefixes of one's own. */
export type LayoutName = keyof typeof LAYOUTS | 'custom';

/** What is known of the API key. */
export type KeyState =
	| { state: 'open' }
	/** Every call was refused with 401. */
	| { state: 'notOpen'; failure: Failure }
	/** `readsNothing`: the service knows the key, it seems, but lets it read nothing. */
	| { state: 'unknown'; readsNothing: boolean; failure?: Failure };

/** What is known of the path layout that the credential has. */
export type LayoutState =
	| { state: 'open'; layout: LayoutName }
	/** The service has the other one. */
	| { state: 'notOpen'; layout: LayoutName; other: LayoutName }
	| { state: 'unknown'; layout: LayoutName };

/** The probes that show whether a layout is the service's: webhooks and notaries are alike in all. */
const SHOWING_LAYOUT: readonly ProbeName[] = ['business', 'realEstate', 'addresses'];

/**
 * Says whether the service accepts the key (docs/service/api.md#kinds-of-keys). Where it opens
 * anything, or is refused by a rule of the account, it does.
 */
export function keyState(findings: Findings): KeyState {
	const found = Object.values(findings);
	if (found.some((entry) => entry.state === 'open' || statusOf(entry) === 422))
		return { state: 'open' };
	const failures = found.flatMap((entry) => (entry.state === 'open' ? [] : [entry]));
	const refused = failures.filter((entry) => [401, 403].includes(statusOf(entry) ?? 0));
	const { failure } = refused[0] ?? failures[0] ?? {};
	if (refused.length > 0 && refused.every((entry) => statusOf(entry) === 401))
		return { state: 'notOpen', failure: refused[0].failure };
	return { state: 'unknown', readsNothing: refused.length > 0, ...(failure && { failure }) };
}

/** Names the path layout of the credential. */
export function layoutOf(prefixes: Prefixes): LayoutName {
	const named = Object.entries(LAYOUTS).find(([, own]) => own === prefixes);
	return (named?.[0] as LayoutName | undefined) ?? 'custom';
}

/**
 * Says whether the path layout is the service's. If nothing is open at its paths, the other layouts
 * are tried (docs/service/api.md#path-layouts). A service may answer an unknown path with any status.
 * @throws ServiceFailure `notSent`
 */
export async function layoutState(
	service: ServiceClient,
	findings: Findings,
): Promise<LayoutState> {
	const layout = layoutOf(service.settings.prefixes);
	const asked = SHOWING_LAYOUT.filter((name) => findings[name] !== undefined);
	if (asked.some((name) => findings[name]!.state === 'open')) return { state: 'open', layout };
	// What doesn't answer, or doesn't know the key, answers no better elsewhere.
	const answers = asked.some((name) => statusOf(findings[name]!) !== undefined);
	if (!answers || keyState(findings).state === 'notOpen') return { state: 'unknown', layout };
	for (const [name, prefixes] of Object.entries(LAYOUTS)) {
		if (name === layout) continue;
		const there = await probeAll(inLayout(service, prefixes), asked);
		if (Object.values(there).some(({ state }) => state === 'open'))
			return { state: 'notOpen', layout, other: name as LayoutName };
	}
	return { state: 'unknown', layout };
}

/** The same client with the paths of another layout. */
function inLayout(service: ServiceClient, prefixes: Prefixes): ServiceClient {
	const settings = { ...service.settings, prefixes };
	return Object.assign(Object.create(service) as ServiceClient, { settings });
}
