import type { INodeProperties } from 'n8n-workflow';

import { SignAndCloseApi } from '../../../credentials/SignAndCloseApi.credentials.ts';
import { RESOURCES, type Operation } from '../../../nodes/SignAndClose/run/operation.ts';
import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { buildEventOptions } from '../../../nodes/SignAndClose/resources/webhook/events.ts';

/** Which fields a message names, and whether the person who reads it has them. */

/** Words in quotes that are no fields: our other node, and its events. */
const ELSEWHERE = ['Sign and Close Trigger', ...buildEventOptions().map(({ name }) => name)];

const nameOf = ({ resource, name }: Operation) => `${RESOURCES[resource]}: ${name}`;
const OPERATIONS = new Map(operations.map((operation) => [nameOf(operation), operation]));

/** Labels of fields and their choices and modes, those inside collections and rows included. */
function namesIn(properties: INodeProperties[]): string[] {
	return properties
		.filter(({ type }) => type !== 'notice')
		.flatMap(({ displayName, options = [], modes = [] }) => [
			displayName,
			...modes.map((mode) => mode.displayName),
			...options.flatMap((option) => {
				if ('values' in option) return [option.displayName, ...namesIn(option.values)];
				return 'type' in option ? namesIn([option as INodeProperties]) : [option.name];
			}),
		]);
}

const CREDENTIAL = namesIn(new SignAndCloseApi().properties);
const forms = new Map(
	operations.map((operation) => [operation, new Set(namesIn(operation.properties))]),
);

/**
 * The names in quotes that neither the form of the operation nor the credential has, nor an operation
 * that the same sentence names.
 */
export function strangeNames(message: string, operation: Operation): string[] {
	// What the service says comes in its own words.
	const [own] = message.split(/The service (?:also )?said: /);
	return own.split(/(?<=[.)]) (?=[A-Z(])/).flatMap((sentence) => {
		const quoted = [...sentence.matchAll(/(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)/g)].map(
			({ 1: name, index }) => ({ name, before: sentence.slice(0, index) }),
		);
		const there = new Set([...forms.get(operation)!, ...CREDENTIAL, ...ELSEWHERE]);
		for (const { name } of quoted)
			for (const label of forms.get(OPERATIONS.get(name)!) ?? []) there.add(label);
		return quoted
			.filter(({ name, before }) => {
				// What an answer lacks is named as the service names it.
				if (/^The service sent the transaction without /.test(sentence)) return false;
				// A value in quotes follows the field that holds it.
				if (/\b(is|holds|is in the state) $/.test(before)) return false;
				const parts = name.split(/, entry \d+: |: /);
				return !OPERATIONS.has(name) && !there.has(name) && !parts.every((part) => there.has(part));
			})
			.map(({ name }) => name);
	});
}
