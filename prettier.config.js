export default { printWidth: 130, singleQuote: true, trailingComma: 'all' };
