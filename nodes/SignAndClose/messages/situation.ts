import type { INodeProperties } from 'n8n-workflow';

import type { Phase } from '../transport/answers/transactionState';

/*
 * What is known of an item that failed: its operation, the form of that, and the state of its
 * transaction. A remedy depends on all three.
 */

/** The state of the item's transaction, as far as the service shows it. */
export interface ShownState {
	phase?: Phase;
	/** The state in words. */
	words?: string;
}

/** What is known of the item that failed. */
export interface Situation {
	/** Resource and value of the operation, e.g. transaction/send. */
	operation: string;
	/** The fields of its form. */
	properties: INodeProperties[];
	/** Returns the value of a field for the item; undefined where it can't be read. */
	valueOf(name: string): unknown;
	state?: ShownState;
}

/** Where a person reads a remedy, which decides how it names a field. */
export class Place {
	/** @param situation undefined outside of the action node; then every field counts as there */
	constructor(
		private readonly situation?: Situation,
		readonly state: ShownState | undefined = situation?.state,
	) {}

	/** Resource and value of the operation. */
	get operation(): string | undefined {
		return this.situation?.operation;
	}

	/** The same place, for a transaction in this state. */
	inState(state: ShownState): Place {
		return new Place(this.situation, state);
	}

	/** The value of a field for the item. */
	valueOf(name: string): unknown {
		return this.situation?.valueOf(name);
	}

	/** Whether the form of the operation has a field. */
	has(label: string): boolean {
		return this.situation === undefined || labelsOf(this.situation.properties).has(label);
	}

	/**
	 * Names a field in quotes, and the operation that has it if that's another one.
	 * @param labels the field, under all names that forms have for it
	 * @param elsewhere the operation that has the first of them, e.g. Transaction: Update
	 */
	field(labels: string | string[], elsewhere: string): string {
		const names = [labels].flat();
		const own = names.find((label) => this.has(label));
		return own === undefined ? `'${names[0]}' with '${elsewhere}'` : `'${own}'`;
	}

	/**
	 * Names a parameter as the form does.
	 * @param name of the parameter or of the field of a request
	 */
	nameOf(name: string): string {
		const { properties = [] } = this.situation ?? {};
		const inner = name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
		return findLabel(properties, name) ?? findLabel(properties, inner) ?? name;
	}
}

/** The labels of forms. They never change. */
const known = new WeakMap<INodeProperties[], Set<string>>();

/** The labels of a form's fields, those inside of collections and rows included. */
export function labelsOf(properties: INodeProperties[]): Set<string> {
	const labels = known.get(properties) ?? new Set(fieldsOf(properties).map(([, label]) => label));
	known.set(properties, labels);
	return labels;
}

function findLabel(properties: INodeProperties[], name: string): string | undefined {
	return fieldsOf(properties).find(([own]) => own === name)?.[1];
}

/** The fields of a form, the outer ones first: a row may have a field of the same name. */
function fieldsOf(properties: INodeProperties[]): Array<[name: string, label: string]> {
	const shown = properties.filter(({ type }) => type !== 'notice');
	const inner = shown.flatMap(({ options = [] }) =>
		options.flatMap((option) =>
			'values' in option ? option.values : 'type' in option ? [option as INodeProperties] : [],
		),
	);
	return [
		...shown.map(({ name, displayName }): [string, string] => [name, displayName]),
		...(inner.length > 0 ? fieldsOf(inner) : []),
	];
}
