//! Encodings against all assignments of small inputs.

mod at_most_one;
mod load;
mod meaning;
mod support;
mod thesis;
mod window;
