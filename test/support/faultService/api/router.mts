import type { Host, Platform, ServiceOptions } from '../types.mts';
import { actionRoutes } from './actions.mts';
import type { Route } from './call.mts';
import { documentRoutes } from './documents.mts';
import { placeRoutes } from './places.mts';
import { recordRoutes } from './records.mts';
import { transactionRoutes } from './transactions.mts';
import { webhookRoutes } from './webhooks.mts';

export interface Found {
	route: Route;
	params: Record<string, string>;
	platform: Platform;
	/** Where several routes share a path, the name of this one, as `GET B/transactions/:id`. */
	name: string;
}

type Prefixes = Record<Route['on'], string[]>;

/** docs/service/api.md#path-layouts and the exceptions below it. */
function prefixesOf(layouts: ServiceOptions['layouts']): Prefixes {
	const documented = layouts.includes('documented');
	const current = layouts.includes('current');
	return {
		B: [...(documented ? [''] : []), ...(current ? ['/v1'] : [])],
		// Identity assurance takes every layout to /mortgage/v2.
		R: [...(documented ? ['/mortgage/v1'] : []), '/mortgage/v2'],
		N: ['/mortgage/v1'],
		W: ['/v2', '/mortgage/v2'],
		V: ['/v1'],
		F: [''],
	};
}

/** Routes with fixed words come before those with placeholders. */
const ROUTES = [
	...placeRoutes,
	...transactionRoutes,
	...actionRoutes,
	...documentRoutes,
	...recordRoutes,
	...webhookRoutes,
];

export type Router = (host: Host, method: string, pathname: string) => Found | undefined;

export function makeRouter(options: ServiceOptions): Router {
	const prefixes = prefixesOf(options.layouts);
	const compiled = ROUTES.flatMap((route) =>
		prefixes[route.on].map((prefix) => ({ route, pattern: compile(prefix + route.path) })),
	);
	return (host, method, pathname) => {
		if (host === 'elsewhere') return undefined;
		for (const { route, pattern } of compiled) {
			if (route.method !== method || (route.on === 'F') !== (host === 'files')) continue;
			const groups = pattern.exec(pathname)?.groups;
			if (!groups) continue;
			const params = decode(groups);
			if (!params) return undefined;
			const platform = 'RN'.includes(route.on) ? 'realEstate' : 'business';
			return { route, params, platform, name: `${method} ${route.on}${route.path}` };
		}
		return undefined;
	};
}

function compile(path: string): RegExp {
	// The empty group makes `groups` exist for paths without a placeholder.
	return new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?(?<_>)$`);
}

function decode(groups: Record<string, string>): Record<string, string> | undefined {
	try {
		return Object.fromEntries(
			Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]),
		);
	} catch {
		return undefined;
	}
}
