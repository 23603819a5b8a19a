//! Answers that are used again: at the same position by any way, and at its mirror images.
//!
//! An answer is kept in the frame of its orbit's representative, under a key that says all that the program was told: the
//! position, the prohibited moves in that frame, and the program's own terms. Where a position has symmetries of its own, the
//! frame is not unique; but then the prohibited moves are closed under them, and one frame is as good as the other. Whatever is
//! recalled is looked at like a program's answer, and what does not fit is as if it were not known.

use crate::application::Application;
use crate::client::Client;
use jl_game::{Game, Program, Symmetry};
use jl_messages::JobId;

/// What the job asks. The game's key stands for the position, and for its history where the rules know one.
pub(crate) fn key<A: Application>(client: &Client<A>, job: JobId) -> Option<String> {
    let (game, asked) = (client.app().game(), client.asked_by(job)?);
    let terms = client.app().program().terms(&asked.query(game))?;
    let (key, _) = game.canonical(&asked.position);
    let mut codes: Vec<u32> =
        asked.prohibited.iter().map(|&mv| game.code(game.map_move(asked.to_node, mv))).collect();
    codes.sort_unstable();
    let codes: Vec<String> = codes.iter().map(u32::to_string).collect();
    Some(format!("{} {key:032x} without [{}] {terms}", game.name(), codes.join(",")))
}

/// The answer in the representative's frame, if it is one.
pub(crate) fn to_keep<A: Application>(
    client: &Client<A>,
    job: JobId,
    output: &[String],
) -> Option<Vec<String>> {
    let asked = client.asked_by(job).filter(|_| client.is_answer(job, output))?;
    client.app().program().map_output(client.app().game(), asked.to_node, output)
}

/// The kept answer in the frame of the job, if it is one there.
pub(crate) fn recalled<A: Application>(
    client: &Client<A>,
    job: JobId,
    kept: &[String],
) -> Option<Vec<String>> {
    let to_node = client.asked_by(job)?.to_node;
    let output = client.app().program().map_output(client.app().game(), to_node.inverse(), kept)?;
    client.is_answer(job, &output).then_some(output)
}
