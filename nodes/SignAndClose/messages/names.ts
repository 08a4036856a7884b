import type { INodeProperties } from 'n8n-workflow';

/** What the editor shows for the parameters of an operation. */
export interface Names {
	/** Display names, by name. */
	labels: Map<string, string>;
	/** Values of the choices, by name. */
	choices: Map<string, string[]>;
}

/** Those of each operation. They never change. */
const known = new WeakMap<INodeProperties[], Names>();

/** The names of an operation's parameters. They're collected once, not for each item. */
export function namesOf(properties: INodeProperties[]): Names {
	const names = known.get(properties) ?? collect(properties);
	known.set(properties, names);
	return names;
}

/**
 * Labels and choices, those inside collections included. The first of a name counts, the outer ones
 * before the inner ones: a row may have a field of the same name.
 */
function collect(
	properties: INodeProperties[],
	named: Names = { labels: new Map(), choices: new Map() },
): Names {
	const { labels, choices } = named;
	for (const { name, displayName, options = [] } of properties) {
		if (!labels.has(name)) labels.set(name, displayName);
		const values = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
		if (values.length > 0 && !choices.has(name)) choices.set(name, values);
	}
	const inner = properties.flatMap(({ options = [] }) =>
		options.flatMap((option) =>
			'values' in option ? option.values : 'type' in option ? [option] : [],
		),
	);
	return inner.length > 0 ? collect(inner, named) : named;
}
