export const cppEdits: any = {};
