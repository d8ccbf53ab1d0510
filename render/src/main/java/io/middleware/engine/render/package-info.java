/**
 * Renders the templates of a plugin with the values of a group into plain object trees; pure
 * functions without a cluster.
 */
package io.middleware.engine.render;
