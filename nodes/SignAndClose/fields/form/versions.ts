import type { INodeProperties } from 'n8n-workflow';

/*
 * Fields that only one version of the node has. Workflows store the fields of theirs, so that those
 * of version 1 stay as they are.
 */

type DisplayOptions = NonNullable<INodeProperties['displayOptions']>;

/** Shows a field in version 1 only. */
export const VERSION_1 = { '@version': [1] } satisfies DisplayOptions['show'];

/** Shows a field since version 2. */
export const VERSION_2 = { '@version': [{ _cnd: { gte: 2 } }] } satisfies DisplayOptions['show'];

/** Gives a field a further condition to be shown. */
export function shownIf(show: DisplayOptions['show'], field: INodeProperties): INodeProperties {
	return {
		...field,
		displayOptions: { ...field.displayOptions, show: { ...field.displayOptions?.show, ...show } },
	};
}

/** Gives a field a further condition to be hidden. */
export function hiddenIf(hide: DisplayOptions['hide'], field: INodeProperties): INodeProperties {
	return {
		...field,
		displayOptions: { ...field.displayOptions, hide: { ...field.displayOptions?.hide, ...hide } },
	};
}
