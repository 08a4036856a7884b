import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameterResourceLocator,
	INodeProperties,
} from 'n8n-workflow';

import { idInLink, LINK_PARTS } from '../service/endpoints';
import { InputFailure } from './failures';
import { toInstant } from '../service/values/times';

const FROM_EXPRESSION = "Enter a value. If it's an expression, check what it returns for this item";

/**
 * The parameters of one item, typed. The item's index is given once, here: nothing can read item 0
 * by default. Every complaint names the parameter as the editor shows it.
 */
export class Params {
	private readonly labels = new Map<string, string>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly itemIndex: number,
		properties: INodeProperties[],
	) {
		collectLabels(properties, this.labels);
	}

	/** The display name of a parameter. */
	label(name: string): string {
		return this.labels.get(name) ?? name;
	}

	/** Any parameter as it is; undefined when it is not shown for this operation. */
	raw(name: string): unknown {
		// A parameter that is not shown is not there: n8n throws unless there is a fallback other than
		// undefined.
		return this.context.getNodeParameter(name, this.itemIndex, null) ?? undefined;
	}

	/** A text without surrounding spaces; undefined when empty. */
	text(name: string): string | undefined {
		return this.toText(name, this.raw(name));
	}

	/** A text that must not be empty. */
	required(name: string): string {
		const value = this.text(name);
		if (value === undefined) throw new InputFailure(this.label(name), 'is empty', FROM_EXPRESSION);
		return value;
	}

	/** The id of a resource locator, whatever its mode: list, id, a pasted link. */
	locator(name: string): string | undefined {
		const value = this.raw(name);
		if (!isLocator(value)) return this.idOf(name, this.toText(name, value));
		// A link is read below, whichever mode it was pasted in; n8n itself stops with a message of its
		// own when it is none.
		const plain =
			value.mode === 'url'
				? value.value
				: this.context.getNodeParameter(name, this.itemIndex, null, { extractValue: true });
		return this.idOf(name, this.toText(name, plain));
	}

	/** The id of a resource locator inside a collection. */
	locatorOf(name: string, value: unknown): string | undefined {
		return this.idOf(name, this.toText(name, isLocator(value) ? value.value : value));
	}

	/** The id in a pasted link of the service; any other text is the id itself. */
	private idOf(name: string, text: string | undefined): string | undefined {
		const part = LINK_PARTS[name];
		if (text === undefined || part === undefined || !/^https?:\/\//i.test(text)) return text;
		const id = idInLink(name, text);
		if (id === undefined)
			throw new InputFailure(
				this.label(name),
				`holds a link without an ID: ${text}`,
				`Paste a link that goes on after /${part}/, or enter the ID alone`,
			);
		return id;
	}

	/** The id of a resource locator that must not be empty. */
	requiredLocator(name: string): string {
		const value = this.locator(name);
		if (value === undefined)
			throw new InputFailure(
				this.label(name),
				'is empty',
				`Choose one from the list or enter its ID. ${FROM_EXPRESSION}`,
			);
		return value;
	}

	/** A switch; `otherwise` is what it means when it is empty or an expression gives nothing. */
	boolean(name: string, otherwise = false): boolean {
		return this.toBoolean(name, this.raw(name)) ?? otherwise;
	}

	/**
	 * A yes or no as people and spreadsheets write it.
	 * @returns undefined when empty
	 * @throws InputFailure for anything else
	 */
	toBoolean(name: string, value: unknown): boolean | undefined {
		const text = String(value ?? '')
			.trim()
			.toLowerCase();
		if (text === '' || text === 'null' || text === 'undefined') return undefined;
		if (['true', '1', 'yes', 'y'].includes(text)) return true;
		if (['false', '0', 'no', 'n'].includes(text)) return false;
		throw new InputFailure(
			this.label(name),
			`is '${String(value)}', which isn't true or false`,
			'Enter true or false',
		);
	}

	/** A collection, fixed collection or object. */
	object(name: string): IDataObject {
		const value = this.raw(name);
		if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
			return {};
		if (typeof value !== 'object' || value === null || Array.isArray(value)) {
			throw new InputFailure(
				this.label(name),
				'must be an object of its fields',
				'Fill in the fields one by one, or let the expression return an object of them',
			);
		}
		return value as IDataObject;
	}

	/**
	 * The rows of a parameter: as the editor stores them, or an array that an expression gives.
	 * @throws InputFailure when it is neither, so that no row is lost unseen
	 */
	rows(name: string, value: unknown = this.raw(name)): IDataObject[] {
		const given =
			typeof value === 'object' && value !== null && !Array.isArray(value)
				? ((value as IDataObject).row ?? [])
				: value;
		if (given === undefined || given === null || given === '') return [];
		const list = Array.isArray(given) ? (given as unknown[]) : [given];
		return list.map((entry, index) => {
			if (typeof entry === 'object' && entry !== null && !Array.isArray(entry))
				return entry as IDataObject;
			throw new InputFailure(
				this.label(name),
				`, row ${index + 1}: must be an object`,
				'Fill in rows, or let the expression return an array of objects',
			);
		});
	}

	/** A text of a collection's field. */
	textOf(collection: IDataObject, name: string): string | undefined {
		return this.toText(name, collection[name]);
	}

	/**
	 * A moment in time, with its offset; without a zone it is meant in the workflow's.
	 * @throws InputFailure when it is no date
	 */
	moment(name: string, value: unknown = this.raw(name)): string | undefined {
		if (value === undefined || value === null || value === '') return undefined;
		const moment = toInstant(value, this.context.getTimezone());
		if (moment === undefined)
			throw new InputFailure(
				this.label(name),
				`is '${String(value)}', which isn't a valid date`,
				'Enter it as year-month-day and time, e.g. 2026-12-31T17:00',
			);
		return moment;
	}

	/**
	 * A JSON parameter: typed text, or whatever an expression gave.
	 * @returns undefined when empty
	 */
	json(name: string, value: unknown = this.raw(name)): unknown {
		if (typeof value !== 'string') return value ?? undefined;
		if (value.trim() === '') return undefined;
		try {
			return JSON.parse(value) as unknown;
		} catch (thrown) {
			const detail = thrown instanceof Error ? thrown.message : "it can't be read";
			throw notJson(this.label(name), detail);
		}
	}

	private toText(name: string, value: unknown): string | undefined {
		if (value === undefined || value === null) return undefined;
		if (typeof value === 'object') {
			throw new InputFailure(
				this.label(name),
				'must be text, but is an object',
				'Point the expression to one of its fields',
			);
		}
		const text = String(value).trim();
		// What an expression in the middle of a text becomes when it finds nothing.
		return text === '' || text === 'undefined' || text === 'null' || text === '[object Object]'
			? undefined
			: text;
	}
}

function notJson(label: string, detail: string): InputFailure {
	return new InputFailure(
		label,
		`isn't valid JSON: ${detail}`,
		'Check quotes, commas and brackets. Text needs double quotes',
	);
}

function collectLabels(properties: INodeProperties[], labels: Map<string, string>): void {
	for (const property of properties) {
		if (!labels.has(property.name)) labels.set(property.name, property.displayName);
		for (const option of property.options ?? []) {
			if ('values' in option) collectLabels(option.values, labels);
			else if ('type' in option) collectLabels([option], labels);
		}
	}
}

/** Type guard for tests and lists: the shape that the editor stores for a resource locator. */
function isLocator(value: unknown): value is INodeParameterResourceLocator {
	return typeof value === 'object' && value !== null && (value as { __rl?: unknown }).__rl === true;
}
