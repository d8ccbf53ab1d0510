/**
 * Renders the templates of a Plugin with the values of a group into plain object trees: parsing,
 * compiling, variables and rendered objects; pure functions without a cluster.
 */
package io.middleware.engine.render;
