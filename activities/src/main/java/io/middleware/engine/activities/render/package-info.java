/**
 * Turns the templates of a plugin and the facts of a group into plain object trees; pure functions,
 * no cluster.
 */
package io.middleware.engine.activities.render;
