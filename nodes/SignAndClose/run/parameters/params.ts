import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputFailure } from '../../messages/failures';
import { ADVICE } from '../../messages/inputFaults';
import { getParameterNames, type ParameterNames } from '../../messages/situation';
import { asError } from '../../transport/failure/failure';
import { readIdInLink, LINK_PARTS } from '../../transport/service/linkIds';
import { canBeId, LONGEST_ID } from '../../values/ids';
import { isBlank } from '../../values/comparison';
import { isObject } from '../../values/json';
import { formatForDisplay } from '../../values/plainValues';
import { toInstant } from '../../values/times';
import { joinSentences } from '../../values/words';
import { findExpression, isLocator } from './stored';
import { parseText } from './texts';

/** A parameter's name and, of a value inside of it, the names and indexes that lead there. */
export type ParameterPath = readonly [name: string, ...further: Array<string | number>];

/** Where the values of parameters come from. */
export interface ParameterSource {
	readonly timezone: string;
	/** @throws n8n's error for an expression that can't be evaluated */
	get(name: string): unknown;
	/** As the workflow stores it, with its expressions. */
	getStored(name: string): unknown;
	/** The values of another item of the run. */
	withItem(itemIndex: number): ParameterSource;
}

/**
 * The parameters of one item, read as the type an operation needs. The item's index is given once,
 * to the constructor, so that nothing reads the parameters of item 0 by mistake. Every InputFailure
 * names the parameter as the editor shows it.
 */
export class Params {
	private readonly names: ParameterNames;

	/** @param labels names of parameters for messages, other than those in the editor */
	constructor(
		private readonly values: ParameterSource,
		private readonly properties: INodeProperties[],
		private readonly labels: ReadonlyMap<string, string> = new Map(),
	) {
		this.names = getParameterNames(properties);
	}

	/**
	 * The same parameters with other values for some of them, e.g. from the columns of a row.
	 * @param labels how messages name these
	 */
	withValues(values: IDataObject, labels: ReadonlyMap<string, string>): Params {
		const get = (name: string) =>
			Object.hasOwn(values, name) ? values[name] : this.values.get(name);
		const getStored = (name: string) =>
			Object.hasOwn(values, name) ? values[name] : this.values.getStored(name);
		return new Params({ ...this.values, get, getStored }, this.properties, labels);
	}

	/** The parameters of another item of the run. */
	withItem(itemIndex: number): Params {
		return new Params(this.values.withItem(itemIndex), this.properties);
	}

	/** The display name of a parameter, or its name when it has none. */
	label(name: string): string {
		return this.labels.get(name) ?? this.names.labels.get(name) ?? name;
	}

	/** Whether the value comes from a column of a row, which messages name instead. */
	isFromColumn(name: string): boolean {
		return this.labels.has(name);
	}

	/** A parameter's value as it is; undefined when the parameter isn't shown for this operation. */
	getRaw(name: string): unknown {
		try {
			return this.values.get(name) ?? undefined;
		} catch (thrown) {
			// n8n's own errors, which have a level, say what is wrong with an expression.
			if (thrown instanceof Error && 'level' in thrown) throw asError(thrown);
			// E.g. because the value contains itself.
			return this.refuse(name, "can't be read", 'Let the expression return a plain value');
		}
	}

	/**
	 * A text without surrounding spaces; undefined when empty.
	 * @throws InputFailure when an expression returns an object
	 */
	getText(name: string): string | undefined {
		return parseText(this.label(name), this.getRaw(name));
	}

	/**
	 * A text without surrounding spaces.
	 * @throws InputFailure when it is empty or an object
	 */
	getRequired(name: string): string {
		const text = this.getText(name);
		if (text === undefined) throw this.createEmptyFailure([name], ADVICE.enter);
		return text;
	}

	/**
	 * The ID in a resource locator of any mode (list, ID, pasted link); undefined when empty.
	 * @throws InputFailure when it holds a link without an ID
	 */
	getLocator(name: string): string | undefined {
		return this.parseLocator(name, this.getRaw(name));
	}

	/**
	 * The ID in a resource locator that a person added to a collection; undefined when an ID or an
	 * expression is empty.
	 * @throws InputFailure when nothing is chosen in its list, or it holds a link without an ID
	 */
	parseAddedLocator(name: string, value: unknown): string | undefined {
		if (isLocator(value) && value.mode === 'list' && isBlank(value.value))
			return this.refuse(
				name,
				'is left without a choice',
				'Choose one from the list, or remove the field',
			);
		return this.parseLocator(name, value);
	}

	/**
	 * The ID in a resource locator of a row; undefined when empty.
	 * @throws InputFailure when it holds a link without an ID
	 */
	parseLocator(name: string, value: unknown): string | undefined {
		const getText = parseText(this.label(name), isLocator(value) ? value.value : value);
		if (getText === undefined) return undefined;
		if (!canBeId(getText))
			return this.refuse(
				name,
				getText.length > LONGEST_ID
					? `has ${getText.length} characters, which isn't an ID`
					: `is '${getText}', which isn't an ID`,
				'Choose one from the list or enter its ID',
			);
		// n8n stops with a message of its own when a text in URL mode isn't a link of the expected
		// form. Links are therefore read here, whichever mode they were pasted in.
		const part = LINK_PARTS[name];
		if (part === undefined || !/^https?:\/\//i.test(getText)) return getText;
		const id = readIdInLink(name, getText);
		if (id !== undefined) return id;
		return this.refuse(
			name,
			`holds a link without an ID: ${getText}`,
			`Paste a link that goes on after /${part}/, or enter the ID alone`,
		);
	}

	/**
	 * The ID in a resource locator.
	 * @throws InputFailure when it is empty or holds a link without an ID
	 */
	getRequiredLocator(name: string): string {
		const id = this.getLocator(name);
		if (id === undefined) throw this.createEmptyFailure([name], ADVICE.choose);
		return id;
	}

	/**
	 * Creates the failure for a value that is missing. Of an expression, it says that this gives nothing.
	 * @param path the parameter's name and, of a value inside of it, what leads there
	 * @param remedy what to do about a value that isn't an expression
	 */
	createEmptyFailure(
		[parameter, ...further]: ParameterPath,
		remedy: string,
		label = this.label(String(further.at(-1) ?? parameter)),
	): InputFailure {
		const expression = findExpression(this.values.getStored(parameter), further);
		if (expression === undefined)
			return new InputFailure(label, 'is empty', joinSentences(remedy, ADVICE.check));
		return new InputFailure(
			label,
			`is empty: its expression ${expression} gives nothing for this item`,
			joinSentences(remedy, ADVICE.output),
		);
	}

	/**
	 * A switch.
	 * @param otherwise what an empty value means, e.g. that of an expression that finds nothing
	 * @throws InputFailure for anything that isn't true or false
	 */
	getBoolean(name: string, otherwise = false): boolean {
		return this.toBoolean(name, this.getRaw(name)) ?? otherwise;
	}

	/**
	 * True or false in the forms that people and spreadsheets write: true, 1, yes, y and their
	 * opposites.
	 * @returns undefined when empty
	 * @throws InputFailure for anything else
	 */
	toBoolean(name: string, value: unknown): boolean | undefined {
		const getText = formatForDisplay(value ?? '')
			.trim()
			.toLowerCase();
		if (getText === '' || getText === 'null' || getText === 'undefined') return undefined;
		if (['true', '1', 'yes', 'y'].includes(getText)) return true;
		if (['false', '0', 'no', 'n'].includes(getText)) return false;
		return this.refuse(
			name,
			`is '${formatForDisplay(value)}', which isn't true or false`,
			'Enter true or false',
		);
	}

	/**
	 * A value of a choice that decides what the node does. A list can't be wrong, an expression can:
	 * another value must not be silently taken for one of the list.
	 * @returns undefined when empty
	 * @throws InputFailure naming the choices
	 */
	getChoice(name: string, value: unknown = this.getRaw(name)): string | undefined {
		const getText = parseText(this.label(name), value);
		const choices = this.names.choices.get(name) ?? [];
		if (getText === undefined || choices.includes(getText)) return getText;
		return this.refuse(
			name,
			`is '${getText}'`,
			`Choose from the list. An expression must return one of: ${choices.join(', ')}`,
		);
	}

	/**
	 * A collection, fixed collection or object; empty when nothing was filled in.
	 * @throws InputFailure when it is anything but an object
	 */
	getObject(name: string): IDataObject {
		const value = this.getRaw(name);
		if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
			return {};
		if (isObject(value)) return value;
		return this.refuse(
			name,
			'must be an object of its fields',
			'Fill in the fields one by one, or let the expression return an object of them',
		);
	}

	/**
	 * The rows of a parameter: a fixed collection as the editor stores it, or an array that an
	 * expression returns.
	 * @throws InputFailure when it is neither, so that no row is lost unnoticed
	 */
	getRows(name: string, value: unknown = this.getRaw(name)): IDataObject[] {
		const entries = isObject(value) ? value.row : value;
		if (entries === undefined || entries === null || entries === '') return [];
		const list = Array.isArray(entries) ? (entries as unknown[]) : [entries];
		return list.map((entry, index) => {
			if (isObject(entry)) return entry;
			return this.refuse(
				name,
				`, entry ${index + 1}: must be an object`,
				'Fill in the entries, or let the expression return an array of objects',
			);
		});
	}

	/**
	 * A text field of a collection; undefined when empty.
	 * @throws InputFailure when it is an object
	 */
	getTextIn(collection: IDataObject, name: string): string | undefined {
		return parseText(this.label(name), collection[name]);
	}

	/**
	 * A date and time in ISO 8601 with its offset. A value without a zone is in the workflow's time
	 * zone.
	 * @param day which moment of a day without a time is meant
	 * @returns undefined when empty
	 * @throws InputFailure when it isn't a valid date
	 */
	getMoment(
		name: string,
		value: unknown = this.getRaw(name),
		day: 'begin' | 'end' = 'begin',
	): string | undefined {
		if (value === undefined || value === null || value === '') return undefined;
		const getMoment = toInstant(value, this.values.timezone, day);
		if (getMoment === undefined)
			return this.refuse(
				name,
				`is '${formatForDisplay(value)}', which isn't a valid date`,
				'Enter it as year-month-day and time, e.g. 2026-12-31T17:00',
			);
		return getMoment;
	}

	/**
	 * A JSON parameter: text that is parsed, or the value that an expression returned.
	 * @returns undefined when empty
	 * @throws InputFailure when the text isn't valid JSON
	 */
	getJson(name: string, value: unknown = this.getRaw(name)): unknown {
		if (typeof value !== 'string') return value ?? undefined;
		if (value.trim() === '') return undefined;
		try {
			return JSON.parse(value) as unknown;
		} catch (thrown) {
			return this.refuse(
				name,
				`isn't valid JSON: ${(thrown as Error).message}`,
				'Check quotes, commas and brackets. Text needs double quotes',
			);
		}
	}

	private refuse(name: string, problem: string, remedy: string): never {
		throw new InputFailure(this.label(name), problem, remedy);
	}
}
